// What any player behind HTTP costs in Node: a bare `node:http` which tells mpv what it is told.
//
//   node --import tsx bench/mpv-over-http.ts SOCKET      (go.ts starts it; it prints its port)
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'

const HOST = '127.0.0.1'
const mpv = connect(process.argv[2] ?? '')
mpv.setNoDelay(true).resume()
const server = createServer((request, response) => {
  request.resume().once('end', () => {
    mpv.write('{"command":["set_property","pause","no"]}\n')
    response.end('{}')
  })
})
// Its connection rests for longer than 5 s while the others have their turn.
server.keepAliveTimeout = 0
server.listen(0, HOST, () => {
  process.send?.((server.address() as AddressInfo).port)
})
process.once('disconnect', () => process.exit(0))
