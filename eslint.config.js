// The lint rules: strict types, the house style, and what keeps the engine deterministic.
import js from '@eslint/js'
import tseslint from 'typescript-eslint'

/** Names that read a clock, draw chance, wait or reach the machine, by what to do instead. */
const TIME = 'Time is an argument: take a Frame, and let the agenda say when to come back.'
const WAITING = 'The engine never waits: put what is due on the agenda, take news as a posted fact.'
const CHANCE = 'Chance and ids come through the ports: use Prng or IdSource.'
const WORLD = 'The engine knows no world around it: add what it needs to a port (engine/ports.ts).'
const LOCALE = 'Locales differ between machines: compare with < and > on the strings themselves.'
const MEMORY = 'What a garbage collector does is not repeatable: end lifetimes by hand.'

const BANNED_GLOBALS = {
  [TIME]: ['Date', 'performance', 'Temporal'],
  [WAITING]: [
    'setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'clearImmediate',
    'queueMicrotask', 'requestAnimationFrame', 'Promise', 'Atomics', 'AbortSignal',
    'MessageChannel', 'BroadcastChannel', 'Worker', 'EventTarget', 'EventSource', 'WebSocket',
  ],
  [CHANCE]: ['crypto', 'Crypto'],
  [WORLD]: [
    'process', 'globalThis', 'global', 'self', 'window', 'navigator', 'console', 'fetch', 'require',
    'Buffer', 'eval', 'Function', 'structuredClone', 'localStorage', 'WebAssembly',
  ],
  [LOCALE]: ['Intl'],
  [MEMORY]: ['WeakRef', 'FinalizationRegistry'],
}

/** Outside src/clock and the client's time file, time comes from `Timers` (src/clock/timers.ts). */
const INJECTED = 'Time is injected: take Timers (src/clock), in browsers client/time.ts.'
const INJECTED_TIME = {
  'no-restricted-globals': [
    'error',
    ...['setTimeout', 'setInterval'].map((name) => ({ name, message: INJECTED })),
  ],
  'no-restricted-properties': [
    'error',
    ...[['performance', 'now'], ['Date', 'now'], ['process', 'hrtime']]
      .map(([object, property]) => ({ object, property, message: INJECTED })),
  ],
  '@typescript-eslint/no-restricted-imports': [
    'error',
    { patterns: [{ regex: '^node:(timers(/promises)?|perf_hooks)$', message: INJECTED }] },
  ],
}

/** Exact by IEEE 754 or by definition, so the bits are the same in every engine. */
const EXACT_MATHS =
  '/^(abs|ceil|clz32|floor|fround|imul|max|min|round|sign|sqrt|trunc|PI|SQRT1_2|SQRT2)$/'

/** House style for every file; named, because flat config does not merge lists of syntax. */
const STYLE_SYNTAX = [
  { selector: 'ExportDefaultDeclaration', message: 'No default exports: export it by its name.' },
  { selector: 'ExportAllDeclaration', message: 'No barrels: import from the file that has it.' },
  { selector: 'TSEnumDeclaration', message: 'No enum: use a const tuple and a union type of it.' },
  { selector: 'TSModuleDeclaration[kind="namespace"]', message: 'No namespaces: use a file.' },
  {
    selector: 'LabeledStatement',
    message: 'No labels: make the inner loop a function that answers.',
  },
  {
    // noUncheckedIndexedAccess makes every index of a typed array maybe-undefined; a sample loop
    // that tests each of them costs more than the mix. So a[i]! may stand, and no other !.
    selector:
      'TSNonNullExpression:not([expression.type="MemberExpression"][expression.computed=true])',
    message: 'Only an index may be asserted with !: narrow the value, or assert that it is there.',
  },
]

/** Parameters are required, with null written out: what is left out by mistake is then an error. */
const REQUIRED_PARAMETERS = [
  {
    selector: ':function > Identifier.params[optional=true]',
    message: 'Make the parameter required and write null where there is nothing.',
  },
]

const DETERMINISTIC_SYNTAX = [
  { selector: ':function[async=true]', message: WAITING },
  { selector: 'AwaitExpression', message: WAITING },
  { selector: 'ForOfStatement[await=true]', message: WAITING },
  { selector: 'ImportExpression', message: WAITING },
  { selector: 'MetaProperty[meta.name="import"]', message: WORLD },
  { selector: 'MemberExpression[object.name="Math"][property.name="random"]', message: CHANCE },
  {
    selector:
      `MemberExpression[object.name="Math"][computed=false]:not([property.name=${EXACT_MATHS}])` +
      ':not([property.name="random"])',
    message: 'Its bits differ between engines: use exact maths, or a table from a written series.',
  },
  {
    // Math[name], const { sin } = Math, f(Math): ways around the rule above.
    selector:
      ':not(MemberExpression[computed=false]) > Identifier[name="Math"],' +
      'MemberExpression[computed=true][object.name="Math"]',
    message: 'Name the function, as in Math.floor(x), so that it can be seen to be exact.',
  },
  {
    selector: 'BinaryExpression[operator="**"], AssignmentExpression[operator="**="]',
    message: 'The bits of ** differ between engines: multiply, or use a table.',
  },
  {
    selector:
      'CallExpression[arguments.length=0] > MemberExpression[property.name=/^(sort|toSorted)$/]',
    message: 'A bare sort compares as strings: give a comparator that is a total order.',
  },
  {
    selector:
      'MemberExpression[property.name=/^(localeCompare|toLocale[A-Z][A-Za-z]+)$/]',
    message: LOCALE,
  },
  {
    selector: 'ForInStatement',
    message: 'for…in walks prototypes too: iterate over a Map, an array or Object.keys.',
  },
]

const bannedGlobals = Object.entries(BANNED_GLOBALS).flatMap(([message, names]) =>
  names.map((name) => ({ name, message })),
)

const typed = {
  files: ['**/*.{ts,tsx}'],
  extends: [js.configs.recommended, tseslint.configs.strictTypeChecked],
  languageOptions: {
    parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
  },
  rules: {
    '@typescript-eslint/consistent-type-imports': [
      'error', { prefer: 'type-imports', fixStyle: 'inline-type-imports' },
    ],
    '@typescript-eslint/consistent-type-exports': 'error',
    '@typescript-eslint/switch-exhaustiveness-check': [
      'error',
      {
        // A default may stand beside all cases (asserting that it is never met), not for them.
        allowDefaultCaseForExhaustiveSwitch: true,
        considerDefaultExhaustiveForUnions: false,
        requireDefaultForNonUnion: true,
      },
    ],
    '@typescript-eslint/no-unused-vars': [
      'error', {
        argsIgnorePattern: '^_', destructuredArrayIgnorePattern: '^_', ignoreRestSiblings: true,
      },
    ],
    // Numbers read the same in a template as through String(n).
    '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    // An arrow that hands on a void call is the short form of the style; so is, in a function that
    // answers nothing, a return that ends with one.
    '@typescript-eslint/no-confusing-void-expression': [
      'error', { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
    ],
    '@typescript-eslint/no-unnecessary-condition': [
      'error', { allowConstantLoopConditions: 'only-allowed-literals' },
    ],
    // The narrower rule on ! stands in STYLE_SYNTAX.
    '@typescript-eslint/no-non-null-assertion': 'off',
    // An implementation of a port that promises may have nothing to wait for.
    '@typescript-eslint/require-await': 'off',
    // noPropertyAccessFromIndexSignature asks for the brackets that this rule would remove.
    '@typescript-eslint/dot-notation': 'off',
    // TypeScript knows which names there are.
    'no-undef': 'off',
  },
}

/** Written in the style of the house: no semicolons, single quotes. */
const style = {
  rules: {
    eqeqeq: 'error',
    quotes: ['error', 'single', { avoidEscape: true, allowTemplateLiterals: false }],
    semi: ['error', 'never', { beforeStatementContinuationChars: 'never' }],
    'no-var': 'error',
    'prefer-const': 'error',
    'object-shorthand': 'error',
    'no-restricted-syntax': ['error', ...STYLE_SYNTAX],
  },
}

export default tseslint.config(
  { ignores: ['dist/', 'node_modules/', 'coverage/', '.cache/', 'demo/media/', '**/dist/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error', reportUnusedInlineConfigs: 'error' } },
  typed,
  style,
  {
    files: ['**/*.{js,mjs,cjs}'],
    extends: [js.configs.recommended],
    // Plain scripts have no types to check names against; Node's are named here.
    languageOptions: {
      globals: Object.fromEntries(
        ['process', 'console', 'Buffer', 'URL', 'setTimeout', 'clearTimeout', 'module', 'require']
          .map((name) => [name, 'readonly']),
      ),
    },
  },
  {
    // Tools that read a configuration ask for its default export.
    files: ['*.config.{js,ts}'],
    rules: {
      'no-restricted-syntax': [
        'error', ...STYLE_SYNTAX.filter((rule) => rule.selector !== 'ExportDefaultDeclaration'),
      ],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    // The client's face is made for hand-written calls: play(id), play(id, options).
    ignores: ['src/client/**'],
    rules: { 'no-restricted-syntax': ['error', ...STYLE_SYNTAX, ...REQUIRED_PARAMETERS] },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/clock/**', 'src/client/time.ts'],
    rules: INJECTED_TIME,
  },
  {
    files: [
      'src/engine/**/*.ts', 'src/contract/**/*.ts', 'src/clock/virtual.ts',
      'src/recording/{recording,replay}.ts',
    ],
    rules: {
      'no-restricted-globals': ['error', ...bannedGlobals],
      'no-restricted-syntax': [
        'error', ...STYLE_SYNTAX, ...REQUIRED_PARAMETERS, ...DETERMINISTIC_SYNTAX,
      ],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: '^node:', message: WORLD },
            {
              regex: '(^|/)(io|api|sim|client|command)/',
              message: 'This arrow points up: use a port.',
            },
            { regex: '/clock/(real|paced)\\.js$', message: TIME },
          ],
        },
      ],
    },
  },
  {
    // Tests look into what they have just built; an absent value fails them anyway.
    files: ['test/**/*.ts', 'sim/**/*.ts', 'bench/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error', ...STYLE_SYNTAX.filter((rule) => !rule.selector.startsWith('TSNonNull')),
      ],
      // An answer's JSON is looked into field by field; a field that is absent fails the assertion.
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
)
