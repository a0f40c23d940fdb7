// What a person sees who opened a page by another name than the bound address, e.g. `localhost`.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Refusal } from '../../contract/errors.js'
import { refused } from '../errors.js'
import { pathOf } from '../request-target.js'

/** A browser that goes to the wall or the stage: a script that reads is told in JSON. */
export const isOpened = ({ method, originalUrl, headers: { accept } }: FastifyRequest): boolean =>
  method === 'GET' && ['/', '/stage'].includes(pathOf(originalUrl)) &&
  accept?.includes('text/html') === true

/** Nothing but the way: who got a name to point here learns nothing by it, and loads nothing. */
export const sendAddress = (
  { originalUrl }: FastifyRequest, reply: FastifyReply, refusal: Refusal, authority: string,
): void => {
  // What a stage's address asks for goes along: `?name=left`. In it `"` and `<` are written out.
  const query = new URL(originalUrl, `http://${authority}`).search.replaceAll('&', '&amp;')
  const url = `http://${authority}${pathOf(originalUrl)}${query}`
  refused(reply, refusal).type('text/html; charset=utf-8').send(
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>cartwall</title>'
    + '<meta name="viewport" content="width=device-width">'
    + `<p>This page is at <a href="${url}">${url}</a>, and answers by no other name.</p></html>\n`)
}
