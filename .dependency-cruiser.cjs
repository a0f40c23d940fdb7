// Which way the arrows point (docs/architecture.md, "Folders, and which way the arrows point"): a
// file may import downwards only.

/** Engine files of plain words, shapes or pure functions of time: src/io may run them. */
const PURE_ENGINE =
  '^src/engine/(ports|catalogue|commands/commands|player|events|sound/master|lighting/[^/]*)\\.ts$'
/** Contract files that hold plain values, so that the engine can speak them without a validator. */
const PLAIN_CONTRACT = '^src/contract/(vocabulary|limits|errors)\\.ts$'
/** Contract files without a validator: pages run them, and know the rest as types. */
const PAGE_CONTRACT =
  '^src/contract/(vocabulary|limits|errors|live|live-frames|show-page|waves|armed-bits|' +
  'blank-text|keyboard-signs|cut-text|place-keys)\\.ts$'
/** What of the clock knows no platform: everything but the real one and the threads' shared one. */
const VIRTUAL_CLOCK = '^src/clock/(virtual|frame|clock|timers|waiting)\\.ts$'
/** What of io keeps time by the clock that it is given, and touches no device of its own. */
const VIRTUAL_IO =
  'output/(output|feeder|null-output)\\.ts$|media/preroll-entry\\.ts$|' +
  'speaker/speaker-(output|link|target|wire|session|live|queue|gaps|addon)\\.ts$'
/** Roots of composition: they alone may put the parts together. */
const ROOTS = '^src/(cli\\.ts$|daemon/|sound/)'
/** What of the sound thread and of its other end runs without a thread. */
const VIRTUAL_SOUND = '(engine-host|output-switch|remote-player|sound-link|sound-messages)\\.ts$'

/** Type-only imports vanish when compiled, so an arrow between types weighs nothing at run time. */
const atRunTime = { dependencyTypesNot: ['type-only'] }

const forbid = (name, comment, from, to) => ({ name, severity: 'error', comment, from, to })

module.exports = {
  forbidden: [
    forbid('no-cycles',
      'Two files that need each other are one file, or hide a third; types count.',
      {}, { circular: true }),
    forbid('no-orphans', 'Nothing imports it and it is no entry: a dead file.',
      {
        orphan: true,
        pathNot: [
          '\\.d\\.ts$', '^(test|bench|scripts|demo)/', '\\.config\\.(js|ts)$',
          '^\\.dependency-cruiser', ROOTS,
        ],
      }, {}),
    forbid('resolvable', 'The import leads nowhere.', {}, { couldNotResolve: true }),
    forbid('declared-packages', 'A package that package.json does not name is there by chance.',
      {},
      {
        dependencyTypes: ['npm-no-pkg', 'npm-unknown'],
        // A peer that is a development package too is reported as undeclared.
        dependencyTypesNot: ['npm-peer'],
      }),
    // The build puts ts-rest into dist; msw is a peer, brought by those who test with the player.
    forbid('no-dev-packages-in-src', 'What users install has no development packages.',
      // Pages are bundled: what they import is built into them.
      { path: '^src/', pathNot: ['\\.test\\.ts$', '^src/pages/'] },
      {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: '(^|/)node_modules/(@ts-rest|msw)/',
      }),

    forbid('engine-stands-alone', 'The engine sees frames, the clock, the vocabulary and itself.',
      { path: '^src/engine/' },
      {
        path: '.',
        pathNot: ['^src/engine/', '^src/clock/(frame|clock)\\.ts$', '^src/contract/'],
      }),
    forbid('engine-runs-no-validator',
      'Of the contract the engine runs plain values only; the rest as types.',
      { path: '^src/engine/' },
      { path: '^src/contract/', pathNot: PLAIN_CONTRACT, ...atRunTime }),
    forbid('plain-contract', 'Words, limits and errors need nothing, so that anyone may have them.',
      { path: PLAIN_CONTRACT }, { path: '.', pathNot: PLAIN_CONTRACT }),
    forbid('contract-stands-alone',
      'The contract is built on its schema packages and nothing else.',
      { path: '^src/contract/' },
      { path: '.', pathNot: ['^src/contract/', '(^|/)node_modules/(zod|@ts-rest/core)/'] }),
    forbid('clock-stands-alone',
      'Clocks know frames and the platform; the virtual one knows frames.',
      { path: '^src/clock/' },
      { path: '.', pathNot: ['^src/clock/'], dependencyTypesNot: ['core'] }),
    forbid('virtual-clock-is-virtual', 'A virtual clock that can reach the platform is not one.',
      { path: VIRTUAL_CLOCK }, { path: '.', pathNot: VIRTUAL_CLOCK }),

    forbid('api-below-main',
      'The API sees the engine and the contract, no devices and no clock of its own.',
      { path: '^src/api/' },
      {
        path: '^src/',
        pathNot: ['^src/(api|engine|contract)/', VIRTUAL_CLOCK],
      }),
    forbid('api-sees-the-port',
      'The API reaches the engine through Player, never the machine itself.',
      { path: '^src/api/' },
      {
        path: '^src/engine/',
        pathNot: '^src/engine/(player|commands/commands|events)\\.ts$',
        ...atRunTime,
      }),
    forbid('io-below-main',
      'Adapters see the ports, the clock and the contract; not the API, not the roots.',
      { path: '^src/io/' },
      { path: '^src/', pathNot: '^src/(io|engine|clock|contract)/' }),
    forbid('io-knows-no-machine',
      'Adapters run no engine: only its pure pieces; the rest as types.',
      { path: '^src/io/' },
      { path: '^src/engine/', pathNot: PURE_ENGINE, ...atRunTime }),
    forbid('client-is-types', 'The client ships without the contract: it may have its types only.',
      { path: '^src/client/' },
      { path: '.', pathNot: '^src/client/', ...atRunTime }),
    forbid('client-sees-the-contract', 'Of this program the client knows the contract.',
      { path: '^src/client/' }, { path: '^src/', pathNot: '^src/(client|contract)/' }),
    forbid('pages-see-the-contract',
      'A page is a client: of this program it knows the contract, and the time of clients.',
      { path: '^src/pages/' },
      { path: '^src/', pathNot: ['^src/(pages|contract)/', '^src/client/time\\.ts$'] }),
    forbid('pages-are-light', 'A page ships no validator: of the contract it runs plain files.',
      { path: '^src/pages/' },
      { path: '^src/contract/', pathNot: PAGE_CONTRACT, ...atRunTime }),
    forbid('pages-know-no-node', 'There is no Node in a browser.',
      { path: '^src/pages/' }, { dependencyTypes: ['core'] }),
    forbid('pages-stand-alone', 'The wall and the stage share what is in shared, nothing else.',
      { path: '^src/pages/([^/]+)/' },
      { path: '^src/pages/', pathNot: '^src/pages/($1|shared)/' }),
    forbid('shared-knows-no-page', 'What both pages need is not of one of them.',
      { path: '^src/pages/shared/' }, { path: '^src/pages/(?!shared/)' }),
    forbid('daemon-runs-no-page', 'Pages run in browsers; the daemon serves them as files.',
      { path: '^(src|sim)/', pathNot: '^src/pages/' }, { path: '^src/pages/' }),
    forbid('roots-are-on-top', 'Nothing below may import a root, or the folders would be one.',
      { path: '^src/[^/]+/', pathNot: '^src/(daemon|sound|command|testing)/' }, { path: ROOTS }),
    forbid('src-knows-no-tests', 'What ships must not need what does not.',
      { path: '^src/' }, { path: '^(test|bench|sim|scripts|examples)/' }),

    forbid('recording-below-main',
      'A recording knows the engine it is a recording of and the files it is written to.',
      { path: '^src/recording/' },
      { path: '^src/', pathNot: '^src/((recording|engine|clock|contract)/|io/files/)' }),

    forbid('sim-is-virtual',
      'The simulation runs engine, API, sound path and both threads on virtual time, no device.',
      { path: '^sim/' },
      {
        path: [
          `^src/io/(?!${VIRTUAL_IO})`,
          '^src/recording/recorder\\.ts$',
          '^src/clock/real\\.ts$',
          '^src/(cli\\.ts$|daemon/)',
          `^src/sound/(?!${VIRTUAL_SOUND})`,
        ],
      }),
    forbid('spec-tests-are-virtual', 'What the document says is tested without devices.',
      { path: '^test/(spec|engine|clock)/' }, { path: '^src/io/' }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage|node_modules/\\.cache)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Type imports are arrows too: without this they would be compiled away before they are seen.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.d.ts'],
    },
  },
}
