// A bad line between a wall and its daemon: it drops, doubles and delays what the test says.
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'

/** What becomes of a command: the request or its answer is lost, comes twice, or takes long. */
export type Fate = 'pass' | 'lose request' | 'lose answer' | 'twice' | 'slow'

const SLOW_MS = 400

export class WallProxy {
  /** Decides about each command; what is read, and the live connection, pass. */
  fate: (n: number) => Fate = () => 'pass'
  /** Commands that the daemon carried out, by its own word: what it only answered again is none. */
  carriedOut = 0
  readonly #target: number
  readonly #server: http.Server
  readonly #sockets = new Set<Duplex>()
  #commands = 0

  private constructor(target: number) {
    this.#target = target
    this.#server = http.createServer((request, response) => this.#pass(request, response))
    this.#server.on('upgrade', (request, socket, head) => this.#tunnel(request, socket, head))
  }

  static async open(target: number): Promise<WallProxy> {
    const proxy = new WallProxy(target)
    await new Promise<void>((done) => proxy.#server.listen(0, '127.0.0.1', done))
    return proxy
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
    for (const socket of this.#sockets) socket.destroy()
  }

  #pass(request: http.IncomingMessage, response: http.ServerResponse): void {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const fate = request.method === 'POST' ? this.fate((this.#commands += 1)) : 'pass'
      const body = Buffer.concat(parts)
      if (fate === 'lose request') return void request.socket.destroy()
      if (fate === 'twice') this.#ask(request, body, (answer) => answer.resume())
      this.#ask(request, body, (answer) => {
        if (fate === 'lose answer') return void request.socket.destroy()
        if (fate === 'slow') setTimeout(() => this.#answer(answer, response), SLOW_MS)
        else this.#answer(answer, response)
      })
    })
  }

  #ask(
    request: http.IncomingMessage, body: Buffer, answered: (answer: http.IncomingMessage) => void,
  ): void {
    const headers = { ...request.headers, host: `127.0.0.1:${this.#target}` }
    delete headers.connection
    const onward = http.request(
      { host: '127.0.0.1', port: this.#target, method: request.method, path: request.url, headers },
      (answer) => {
        const isReplay = answer.headers['idempotent-replay'] === 'true'
        const isDone = request.method === 'POST' && (answer.statusCode ?? 500) < 300
        if (isDone && !isReplay) this.carriedOut += 1
        answered(answer)
      },
    )
    onward.on('error', () => request.socket.destroy())
    onward.end(body)
  }

  /** The page's own address is the proxy's: its policy is told so. */
  #answer(answer: http.IncomingMessage, response: http.ServerResponse): void {
    const headers = { ...answer.headers }
    const policy = headers['content-security-policy']
    if (typeof policy === 'string') {
      headers['content-security-policy'] = policy.replaceAll(`:${this.#target}`, `:${this.#port}`)
    }
    response.writeHead(answer.statusCode ?? 500, headers)
    answer.pipe(response)
  }

  #tunnel(request: http.IncomingMessage, socket: Duplex, head: Buffer): void {
    const onward = net.connect(this.#target, '127.0.0.1', () => {
      const own = `127.0.0.1:${this.#port}`
      const headers = Object.entries(request.headers).map(([name, value]) => {
        const text = `${name}: ${String(value)}`
        return text.replaceAll(own, `127.0.0.1:${this.#target}`)
      })
      onward.write(`GET ${request.url} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`)
      onward.write(head)
      socket.pipe(onward).pipe(socket)
    })
    for (const each of [socket, onward]) {
      this.#sockets.add(each)
      each.on('close', () => this.#sockets.delete(each))
      each.on('error', () => [socket, onward].forEach((one) => one.destroy()))
    }
  }
}
