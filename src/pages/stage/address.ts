// What a stage's address asks for: `/stage?name=left&offsetMs=40`.
import { cutText } from '../../contract/cut-text.js'

const NAME_CHARACTERS = 64

export interface StageAddress {
  readonly name: string
  readonly offsetMs: number | null
}

export const readAddress = (search: string): StageAddress => {
  const asked = new URLSearchParams(search)
  const offset = asked.get('offsetMs')
  const isNumber = offset !== null && offset !== '' && Number.isFinite(Number(offset))
  return {
    name: cutText(asked.get('name') ?? 'stage', NAME_CHARACTERS),
    offsetMs: isNumber ? Number(offset) : null,
  }
}
