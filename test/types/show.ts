// Compiled, never run: a show of a test player has the keys that the show file has, and no other.
import type { z } from 'zod'
import type { showShape } from '../../src/io/show/show-shape.js'
import type { TestButton, TestPlaylist, TestShow } from '../../src/testing/test-show.js'

type Show = z.input<typeof showShape>
type Playlist = NonNullable<Show['playlists']>[number]
type Button = NonNullable<Playlist['buttons']>[number]

/** Own keys are their owners' business. */
type KeyOf<T> = Exclude<keyof T, `x-${string}`>
/** True, or which keys one of the two has alone: the compiler's complaint names them. */
type SameKeys<File, Test> = [KeyOf<File> | KeyOf<Test>] extends [KeyOf<File> & KeyOf<Test>] ? true
  : { inTheFileAlone: Exclude<KeyOf<File>, KeyOf<Test>>; inTheTestAlone: OnlyIn<Test, File> }
type OnlyIn<One, Other> = Exclude<KeyOf<One>, KeyOf<Other>>
/** What is not true does not compile. */
type Is<Fact extends true> = Fact

export type Held = [
  Is<SameKeys<Show, TestShow>>,
  Is<SameKeys<Playlist, TestPlaylist>>,
  Is<SameKeys<Button, TestButton>>,
]

export type Refused = [
  // @ts-expect-error a key is missing
  Is<SameKeys<{ a: 1; b: 2 }, { a: 1 }>>,
  // @ts-expect-error a key is there that no file may have
  Is<SameKeys<{ a: 1 }, { a: 1; b?: 2 }>>,
]
