// A sound server for a benchmark, and the folder of its files: gone when it is over.
import { rmSync } from 'node:fs'
import { PulseServer } from '../test/devices/pulse.js'

export const withPulse = async (
  folder: string, measure: (pulse: PulseServer) => Promise<void>,
): Promise<void> => {
  const pulse = new PulseServer()
  try {
    await pulse.start()
    await measure(pulse)
  } finally {
    await pulse.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
