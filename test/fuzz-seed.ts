// Generated cases are fixed by the commit, so that two runs of the tests run the same.
// `npm run fuzz` draws another seed and says which.
import { configureGlobal } from 'fast-check'

configureGlobal({ seed: Number(process.env['CARTWALL_FUZZ_SEED'] ?? 20_261_122) })
