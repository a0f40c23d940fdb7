// The rules of the sound path, each with the sentence that it stands for.

export const DEVICE_RULES = {
  'device/in-order':
    'what is heard is what was rendered, in its order: nothing twice, and nothing left out but ' +
    'silence and what a device took with it',
  'device/gap-bridged':
    "no gap is heard where the device's buffer was longer than what held up the sound process, " +
    'or the stock longer than what held up the engine',
  'device/gap-counted': 'each gap that is heard is counted, and nothing else',
  'device/late-told':
    'what a device that takes back had read before a change came is told, and nothing is late ' +
    'where the process was not held up',
  'device/queue-bound':
    'what is rendered for good beyond what is heard, and so what a GO over playing sound waits ' +
    "for, is the device's buffer, or 10 ms where something is due by itself",
  'device/queue-grows':
    'an underrun makes the buffer half as long again; one that no buffer could bridge does not',
  'device/queue-shrinks':
    'where nothing is late for 20 s the buffer gets shorter, down to its floor',
  'device/position': 'the position less the latency that is told is never ahead of what is heard',
  'device/time': 'in silence the engine comes level with the clock, and never leaps over a second',
  'device/lost-told':
    'a device that went is told as lost, once, and so is one that takes nothing for five seconds',
  'device/returns': 'what is there again is opened and told, once',
  'device/prompt':
    'a command that comes in silence is met at once: the engine does not wait for its next step',
  'device/sounds': 'what the engine plays is heard while a device is open',
} as const

export type DeviceRule = keyof typeof DEVICE_RULES
