// The rules of the sound path, each with the sentence that it stands for.

export const DEVICE_RULES = {
  'device/in-order':
    'what is heard is what was rendered, in its order: nothing twice, and nothing left out but ' +
    'silence and what a device took with it',
  'device/gap-bridged': 'no gap is heard where the queue was longer than what held it up',
  'device/gap-counted': 'each gap that is heard is counted, and nothing else',
  'device/queue-bound': 'what is queued, and so a GO over playing sound, is never later than 40 ms',
  'device/queue-grows':
    'an underrun makes the queue half as long again; one that no queue could bridge does not',
  'device/queue-shrinks':
    'where nothing is late for 20 s the queue gets shorter, down to its floor',
  'device/position': 'the position less the latency that is told is never ahead of what is heard',
  'device/time': 'in silence the engine comes level with the clock, and never leaps over a second',
  'device/lost-told': 'a device that went is told as lost, once, and so is one that takes nothing',
  'device/returns': 'what is there again is opened and told, once',
  'device/sounds': 'what the engine plays is heard while a device is open',
} as const

export type DeviceRule = keyof typeof DEVICE_RULES
