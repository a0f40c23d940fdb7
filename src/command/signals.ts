// The signals of `cartwall serve`, heard from its first moment on, also while the rest still loads.

/** The first SIGINT or SIGTERM ends the daemon, further ones change nothing; SIGHUP reloads. */
export class Signals {
  readonly ended: Promise<string>
  #reload: (() => void) | null = null
  #reloadWanted = false

  constructor() {
    this.ended = new Promise((end) => {
      process.on('SIGINT', () => {
        end('SIGINT')
      })
      process.on('SIGTERM', () => {
        end('SIGTERM')
      })
    })
    process.on('SIGHUP', () => {
      if (this.#reload === null) this.#reloadWanted = true
      else this.#reload()
    })
    // Left alone, Node opens its inspector: a port through which anyone here runs code in us.
    process.on('SIGUSR1', () => undefined)
    // Left alone it ends us: a signal that other programs take for "look at your files" is no end.
    process.on('SIGUSR2', () => undefined)
  }

  onReload(reload: () => void): void {
    this.#reload = reload
    if (this.#reloadWanted) reload()
  }
}
