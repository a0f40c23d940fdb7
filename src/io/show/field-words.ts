// What an editor shows of each key of a show and of a configuration: the words of the README's
// tables, which a test holds beside these. A key without its words does not compile.
import type { z } from 'zod'
import type { configShape } from '../config.js'
import type { showShape } from './show-shape.js'

/** One object of a file: a key's words, or those of the keys below it. */
export interface Words {
  readonly [key: string]: string | Words
}

/** Of an object every key; of a list those of what is in it. */
type WordsOf<Value> = Value extends readonly (infer Item extends object)[] ? WordsOf<Item>
  : Value extends readonly unknown[] ? string
  : Value extends object
    ? { readonly [Key in keyof Value]-?: WordsOf<Exclude<Value[Key], null | undefined>> }
    : string

const SCHEMA = 'names the JSON Schema by which an editor completes and checks this file'
const ID = 'a GUID, unique across the show'
const RANGE = 'the range that is played; `null` is the end of the media'
const SAVED_FADES = 'saved fades, 0 to 60000'
const ARTNET = "where Art-Net goes: a node's address, or a network's broadcast address"
const ENTITLED = '`false` withholds that part (403; no DMX runs)'

export const SHOW_WORDS: WordsOf<z.output<typeof showShape>> = {
  $schema: SCHEMA,
  version: 'of this format',
  title: 'what the wall shows of the show',
  playlists: {
    id: ID,
    title: "the playlist's name on the wall",
    mode: 'or `sequence`, `shuffle`: what ends by itself is followed by the next audio or video, '
      + 'and never by an image or lights',
    wrap: 'a sequence or shuffle begins again at its end',
    mixOnTransition: 'crossfade on transitions',
    crossfadeMs: "the crossfade's length, 0 to 60000; from item to item of a list at most half of "
      + 'either, in place of their saved fades',
    crossfadeCurve: 'or `equal-power`: of a press that replaces; from item to item of a list it is '
      + 'always linear',
    columns: "2 to 12: the wall's grid keeps its places on every screen with 120 px for each",
    buttons: {
      id: ID,
      title: 'what the operator reads',
      kind: '`audio`, `video` and `image` need `media`, `dmx` needs `dmx`, `navigation` a `target`',
      media: 'a path, relative to the show file',
      target: 'the id of the playlist that a link leads to',
      startMs: RANGE,
      endMs: RANGE,
      fadeInMs: SAVED_FADES,
      fadeOutMs: SAVED_FADES,
      fadeOutAtEnd: "the fade-out lands on the end, `endMs` or the media's own; of a loop on that "
        + 'of its last pass',
      isLoopEnabled: 'repeat this button; with `mixOnTransition` its passes overlap, else one '
        + 'follows the other at once',
      pauseWhenReplaced: 'kept paused, not stopped, when another start replaces it',
      allowOverlap: 'sounds over what plays and replaces nothing; what starts later without it '
        + 'replaces this one as any other',
      gainDb: '-60 to 12',
      color: 'on the wall: `red` `orange` `yellow` `green` `teal` `blue` `violet` `grey`',
      hotkey: 'on the wall: the code of a key such as `"KeyQ"`, unique in its playlist; '
        + 'it presses while that is open',
      pressAgain: 'what a press on the wall does while it plays: `pause`, `stop`, `restart`; a '
        + 'picture and lights are stopped',
      fit: 'on the stage: or `cover`; images and videos',
      dissolveMs: 'on the stage: how long its picture comes and goes, 0 to 10000; 0 is a cut',
      dmx: {
        timeline: 'the path of a lighting timeline, relative to the show file',
        loop: 'it begins again at its end',
      },
    },
  },
}

export const CONFIG_WORDS: WordsOf<z.output<typeof configShape>> = {
  $schema: SCHEMA,
  api: {
    enabled: '`false`: `serve` says so and exits',
    host: 'the numeric IPv4 address to listen on, or a list of such; not 0.0.0.0',
    port: '1024 to 65535; a port that stays taken for 3 s is an error',
    origins: 'whose web pages may call: `"local"` (advised), or a list of origins',
  },
  audio: {
    sink: '`"speaker"`, `"null"`, `"wav:FILE"`; `null`: speaker, else none',
    device: 'a name that `cartwall devices` lists; `null`: the default one',
    bufferMs: 'how long a change waits at the device, 2 to 200 ms; `null`: as it proves to need',
  },
  dmx: {
    enabled: 'run lighting timelines',
    output: '`"artnet"` sends Art-Net to `dmx.host`',
    host: ARTNET,
    port: ARTNET,
    onStop: 'or `"hold"`: what unowned channels do',
    offsetMs: 'lights later (or, below 0, earlier) than sound, -60000 to 60000',
  },
  pages: {
    enabled: '`false`: no wall and no stage',
    panicFadeMs: "the fade of the wall's first panic, 0 to 60000; the next one cuts",
    guardMs: 'for so long after a press a button of the wall takes no other, 0 to 5000',
  },
  stage: { offsetMs: 'picture later (or, below 0, earlier) than sound, -500 to 500' },
  entitlements: { api: ENTITLED, dmx: ENTITLED },
}
