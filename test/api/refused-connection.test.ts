// A connection that was refused as a whole: what still comes on it is carried out no more.
//
// A machine that slept finds both in one moment: a first request, and that its time is over.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { BUTTON } from './fake-player.js'
import { API, listen, serve } from './served.js'

it('a command that comes behind a 408 is not carried out, and is not answered', async () => {
  const served = serve(null)
  const port = await listen(served)
  const accepted = once(served.app.server, 'connection') as Promise<[Socket]>
  const client = connect(port, '127.0.0.1')
  let text = ''
  client.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const [socket] = await accepted
  const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
  served.app.server.emit('clientError', late, socket)
  client.write(`POST ${API}/buttons/${BUTTON}/play HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`)
  await once(client, 'close')
  expect(served.player.commands).toEqual([])
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 408'])
  await served.app.close()
})
