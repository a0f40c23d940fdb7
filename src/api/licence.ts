// The licence or plan: where it withholds the API, every request is 403 (5).
import { refuse, type Refusal } from '../contract/errors.js'
import type { ApiOptions } from './server-options.js'

export const licenceRefusal = ({ entitled }: Pick<ApiOptions, 'entitled'>): Refusal | null =>
  entitled() ? null : refuse('license_restricted', 'the configuration withholds the API')
