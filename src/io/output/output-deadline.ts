// Waiting with an end: a device or a disk that hangs must not hold up a shutdown.

/** True when the work settled within `ms`; its failure counts as settled. */
export const settledWithin = (work: Promise<unknown>, ms: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => { resolve(false) }, ms)
    const done = (): void => {
      clearTimeout(timer)
      resolve(true)
    }
    work.then(done, done)
  })
