// cartwall/testing where apps are tested in jsdom.
// @vitest-environment jsdom
import { describe } from 'vitest'
import { appEvening } from './app-evening.js'

describe('in jsdom', appEvening)
