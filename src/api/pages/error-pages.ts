// What a person sees in a browser where a script is told in JSON: at another name than the bound
// address, e.g. `localhost`, or at a path that is none, e.g. `/wall`.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../../contract/errors.js'
import { refused } from '../errors.js'
import { pathOf } from '../request-target.js'

/** A browser that goes to a page: a script that reads is told in JSON. */
const isOpened = ({ method, headers: { accept } }: FastifyRequest): boolean =>
  method === 'GET' && accept?.includes('text/html') === true

/** The wall or the stage are opened. */
export const isPageOpened = (request: FastifyRequest): boolean =>
  isOpened(request) && ['/', '/stage'].includes(pathOf(request.originalUrl))

/** A page is opened that is none; what is wrong in the API is told in its own words. */
export const isNoPageOpened = (request: FastifyRequest): boolean =>
  isOpened(request) && !/^\/api(?:\/|$)/.test(pathOf(request.originalUrl))

/** Nothing but the way: who got a name to point here learns nothing by it, and loads nothing. */
export const sendAddress = (
  { originalUrl }: FastifyRequest, reply: FastifyReply, refusal: Refusal, authority: string,
): void => {
  // What a stage's address asks for goes along: `?name=left`. In it `"` and `<` are written out.
  const query = new URL(originalUrl, `http://${authority}`).search.replaceAll('&', '&amp;')
  const link = linkTo(`http://${authority}${pathOf(originalUrl)}${query}`)
  sendText(reply, refusal, `This page is at ${link}, and answers by no other name.`)
}

export const sendPages = (reply: FastifyReply, refusal: Refusal, authority: string): void => {
  const [wall, stage] = [linkTo(`http://${authority}/`), linkTo(`http://${authority}/stage`)]
  sendText(reply, refusal, `There is no such page. The wall is at ${wall}, the stage at ${stage}.`)
}

const linkTo = (url: string): string => `<a href="${url}">${url}</a>`

const sendText = (reply: FastifyReply, refusal: Refusal, text: string): void => {
  refused(reply, refusal).type('text/html; charset=utf-8').send(
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>cartwall</title>'
    + `<meta name="viewport" content="width=device-width"><p>${text}</p></html>\n`)
}
