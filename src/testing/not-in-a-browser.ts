// What `cartwall/testing` is in a browser: the reason why it cannot be there.

const refused = (): never => {
  throw new Error(
    'cartwall/testing runs engine and server of the daemon, which need Node: use it in vitest\'s'
    + ' environments node, jsdom or happy-dom, not in its browser mode; in Jest not in the'
    + ' environment jsdom, which loads what is meant for browsers, but in jest-fixed-jsdom',
  )
}

/** Named as in test-player.ts: an import of them fails with these words, and not for a name. */
export const createTestPlayer: never = refused()
export const TestPlayer: never = refused()
