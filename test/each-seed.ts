// Plays a test once for each seed from 1 on, and names the one that failed.
export const eachSeed = async (
  seeds: number, play: (seed: number) => Promise<void>,
): Promise<void> => {
  for (let seed = 1; seed <= seeds; seed += 1) {
    try {
      await play(seed)
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error })
    }
  }
}
