// Every route of the API as one contract: servers, clients and documents are made from it.
import { initContract } from '@ts-rest/core'
import { z } from 'zod'
import { ERRORS, type ErrorStatus } from './errors.js'
import { DEFAULTS } from './limits.js'
import {
  alreadyActiveAnswer, buttonIdParam, buttonsAnswer, errorAnswer, execution, executionIdParam,
  openApiAnswer, panicAnswer, panicBody, pauseBody, resumeBody, runOptions, startAnswer,
  statusAnswer, stopAnswer, stopBody, syncAnswer, syncBody,
} from './schemas.js'

const c = initContract()

/** Every status of the error table answers in the one shape (7), on every route. */
const refusals = Object.fromEntries(
  Object.values(ERRORS).map((status) => [status, errorAnswer]),
) as Record<ErrorStatus, typeof errorAnswer>

const ofButton = z.object({ id: buttonIdParam })
const ofExecution = z.object({ executionId: executionIdParam })

export const contract = c.router(
  {
    buttons: {
      method: 'GET',
      path: '/buttons',
      summary: 'The catalogue: every button of every playlist, with its playback flags and ids',
      responses: { 200: buttonsAnswer },
    },
    status: {
      method: 'GET',
      path: '/status',
      summary: 'The state of the service and what is active or paused',
      responses: { 200: statusAnswer },
    },
    execution: {
      method: 'GET',
      path: '/executions/:executionId',
      summary: 'One audio or video run; terminal ones stay for at least 10 minutes',
      pathParams: ofExecution,
      responses: { 200: execution },
    },
    events: {
      method: 'GET',
      path: '/events',
      summary: 'Every change as it happens, as server-sent events (6)',
      responses: { 200: c.otherResponse({ contentType: 'text/event-stream', body: z.unknown() }) },
    },
    openapi: {
      method: 'GET',
      path: '/openapi.json',
      summary: 'This API as an OpenAPI 3.1 document',
      responses: { 200: openApiAnswer },
    },
    play: {
      method: 'POST',
      path: '/buttons/:id/play',
      summary: 'Start a button; a live run is left as it is, or resumed where it is paused',
      pathParams: ofButton,
      body: runOptions.optional(),
      responses: { 200: alreadyActiveAnswer, 202: startAnswer },
    },
    restart: {
      method: 'POST',
      path: '/buttons/:id/restart',
      summary: 'End the previous run, if any, and start a new one with a new id',
      pathParams: ofButton,
      body: runOptions.optional(),
      responses: { 202: startAnswer },
    },
    pause: {
      method: 'POST',
      path: '/buttons/:id/pause',
      summary: 'Pause one run, with a fade where one applies',
      pathParams: ofButton,
      body: pauseBody,
      responses: { 200: execution },
    },
    resume: {
      method: 'POST',
      path: '/buttons/:id/resume',
      summary: 'Go on with one run under its own id, from where it is',
      pathParams: ofButton,
      body: resumeBody,
      responses: { 200: execution },
    },
    stop: {
      method: 'POST',
      path: '/buttons/:id/stop',
      summary: 'Stop one run, or without an id whatever the button is doing',
      pathParams: ofButton,
      body: stopBody.optional(),
      responses: { 200: stopAnswer },
    },
    dmxSync: {
      method: 'POST',
      path: '/buttons/:id/dmx/sync',
      summary: 'One message of an external clock to the DMX timeline of a button',
      pathParams: ofButton,
      body: syncBody,
      responses: { 200: syncAnswer },
    },
    panic: {
      method: 'POST',
      path: '/stop',
      summary: "Stop everything (an addition of cartwall's)",
      body: panicBody.optional(),
      responses: { 200: panicAnswer },
    },
  },
  { pathPrefix: DEFAULTS.apiPrefix, commonResponses: refusals, strictStatusCodes: true },
)
export type Contract = typeof contract
