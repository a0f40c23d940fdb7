// Who follows a run in its list: found, checked and opened ahead, so that no change has a gap.
import { LANE, type Agenda } from '../agenda.js'
import type { Button, Playlist } from '../catalogue.js'
import type { Context } from '../context.js'
import type { PlaylistOrder } from './playlist-order.js'
import { isLive, listOf, type Advance, type Run } from '../runs/run.js'
import type { Pass } from '../sound/voice.js'

/** What makes and moves the runs that follow one another. */
export interface SequencerHost {
  readonly context: Context
  readonly agenda: Agenda
  readonly boundaries: { settle(run: Run): void; settleSoon(run: Run): void }
  open(button: Button, owner: (pass: Pass) => void): Pass
  /** Makes the automatic run that takes its predecessor's place. */
  launch(advance: Advance, button: Button, pass: Pass): void
}

export class Sequencer {
  /** Those whose moment has come and that still look for a file. */
  readonly #due = new Set<Advance>()
  readonly #context: Context

  constructor(
    private readonly host: SequencerHost,
    private readonly playOrder: PlaylistOrder,
  ) {
    this.#context = host.context
  }

  /** Begins to look for the successor of a run that goes on for a while. */
  prepare(run: Run, early: boolean): void {
    run.advance = this.#begin(run, early)
    this.#seek(run.advance)
  }

  /** What was prepared for a run, if anything: the run's end does not drop it any more. */
  take(run: Run): Advance | null {
    const { advance } = run
    run.advance = null
    return advance
  }

  /** The moment has come: start what was prepared, or find something now. */
  handOver(run: Run, prepared: Advance | null, tried: Iterable<string> = []): void {
    const advance = prepared ?? this.#begin(run, false)
    for (const id of tried) advance.tried.add(id)
    this.#due.add(advance)
    if (advance.candidate === null) this.#seek(advance)
    else if (advance.ticket !== null) return
    else if (!this.fits(advance)) this.renew(advance)
    else this.#launch(advance)
  }

  /** A run that ended otherwise, or a changed show: what was prepared is not wanted. */
  drop(run: Run): void {
    const advance = this.take(run)
    if (advance !== null) this.#abandon(advance)
  }

  #abandon(advance: Advance): void {
    if (advance.ticket !== null) this.#context.forgetCheck(advance.ticket)
    advance.pass?.close()
    advance.pass = null
    this.#due.delete(advance)
  }

  /** Stops every search that is due: silence was asked for, or there is no output. */
  dropDue(): void {
    for (const advance of [...this.#due]) this.#abandon(advance)
  }

  /** Stops the searches of lists whose last run was accepted before `order`. */
  dropOlder(order: number): void {
    for (const advance of [...this.#due]) if (advance.from.order < order) this.#abandon(advance)
  }

  /** Of a button, or behind one run of it: what a newer run set going is not an older one's. */
  dropDueOf(buttonId: string, executionId: string | null): void {
    for (const advance of [...this.#due]) {
      const { button, executionId: own } = advance.from
      if (button.id === buttonId && own === (executionId ?? own)) this.#abandon(advance)
    }
  }

  /**
   * Whether the candidate may still follow: of the present show, without a run, and not behind an
   * item that could not play when it was prepared and can now.
   */
  fits(advance: Advance | null): boolean {
    if (advance === null || advance.candidate === null) return false
    const { candidate, from } = advance
    const playlist = this.#listOf(advance)
    if (playlist === null) return false
    return this.playOrder.stillFollows(playlist, from.button.id, candidate, (button) =>
      this.#passOver(advance, button))
  }

  /** A list that is silent already takes what it looked for, whatever came free since. */
  #suits(advance: Advance): boolean {
    const { candidate, from } = advance
    const playlist = this.#listOf(advance)
    if (candidate === null || playlist === null) return false
    if (playlist.mode !== 'sequence') return this.fits(advance)
    const place = (button: Button): boolean =>
      button !== candidate || this.#passOver(advance, button)
    return this.playOrder.pick(playlist, from.button.id, place) === candidate
  }

  /** Looks again from the start, without what was opened. */
  renew(advance: Advance): void {
    advance.pass?.close()
    advance.pass = null
    this.#seek(advance)
  }

  /**
   * The show changed: a silent list goes on looking for what is still its next item, and looks for
   * another where that is gone.
   */
  reread(): void {
    for (const advance of [...this.#due]) {
      const { candidate, ticket } = advance
      if (candidate === null || ticket === null) continue
      const now = this.#context.catalogue.button(candidate.id)
      const same = now?.media === candidate.media && now.playlistId === candidate.playlistId
      if (same) advance.candidate = now
      if (this.#suits(advance)) continue
      this.#context.forgetCheck(ticket)
      advance.ticket = null
      this.renew(advance)
    }
  }

  /**
   * A run began or ended: what others of its list have prepared is chosen anew where something else
   * comes next now, while there is time to open it (decisions 8).
   */
  listMoved(moved: Run): void {
    const { agenda, boundaries } = this.host
    const { playlistId } = moved.button
    const others = (): Run[] => [...this.#context.runs.live()].filter((run) =>
      run !== moved && run.button.playlistId === playlistId && run.advance !== null)
    if (others().length === 0) return
    agenda.add(this.#context.now, LANE.media, () => {
      for (const run of others()) {
        if (this.fits(run.advance)) continue
        this.drop(run)
        boundaries.settle(run)
      }
    })
  }

  #begin(from: Run, early: boolean): Advance {
    return {
      from, tried: new Set(from.takenBack), early, blends: early,
      candidate: null, pass: null, ticket: null,
    }
  }

  #passOver(advance: Advance, button: Button): boolean {
    if (advance.tried.has(button.id)) return true
    const { from } = advance
    // While it still sounds it may be followed by itself; afterwards it may have been started anew.
    if (button.id === from.button.id && isLive(from)) return advance.early
    return this.#context.runs.ofButton(button.id) !== null
  }

  #listOf({ from }: Advance): Playlist | null {
    return listOf(from, this.#context.catalogue)
  }

  #pick(advance: Advance): Button | null {
    const playlist = this.#listOf(advance)
    if (playlist === null) return null
    const { id } = advance.from.button
    return this.playOrder.pick(playlist, id, (button) => this.#passOver(advance, button))
  }

  #seek(advance: Advance): void {
    let candidate = this.#pick(advance)
    if (candidate === null && advance.early) {
      advance.early = false
      candidate = this.#pick(advance)
    }
    advance.candidate = candidate
    if (candidate === null) {
      this.#finish(advance)
      return
    }
    const { media } = candidate
    if (media === null) throw new Error('bug: a playable button without media')
    advance.ticket = this.#context.check(media, 'list', (found) => {
      advance.ticket = null
      if (!found) this.#passOn(advance)
      else this.#openCandidate(advance)
    })
  }

  #openCandidate(advance: Advance): void {
    if (advance.candidate === null) throw new Error('bug: nothing to open')
    const isDue = this.#due.has(advance)
    if (isDue && !this.#suits(advance)) {
      this.renew(advance)
      return
    }
    advance.pass = this.host.open(advance.candidate, (pass) => {
      this.#news(advance, pass)
    })
    if (isDue) this.#launch(advance)
  }

  /** News of a stream that no run owns yet. */
  #news(advance: Advance, pass: Pass): void {
    if (pass.empty) {
      pass.close()
      advance.pass = null
      this.#passOn(advance)
    } else this.host.boundaries.settleSoon(advance.from)
  }

  #passOn(advance: Advance): void {
    if (advance.candidate !== null) advance.tried.add(advance.candidate.id)
    const isDue = this.#due.has(advance)
    this.#seek(advance)
    // What comes next is another one, or none: readers are told, and a fade may land on End now.
    if (!isDue) this.host.boundaries.settleSoon(advance.from)
  }

  #launch(advance: Advance): void {
    const { candidate, pass } = advance
    if (candidate === null || pass === null) throw new Error('bug: nothing is open')
    this.#due.delete(advance)
    this.host.launch(advance, candidate, pass)
  }

  /** Nobody was found. While it is only prepared, another look is taken when its moment comes. */
  #finish(advance: Advance): void {
    if (this.#due.delete(advance)) this.#endList(advance)
  }

  /**
   * Nobody follows. What blends out still takes its list back: of two items the one ends while the
   * other one sounds, and that one goes on to itself at its End.
   */
  #endList({ from, tried }: Advance): void {
    const outgoing = [...this.#context.runs.live()].find((one) =>
      one.handedOver === from.executionId && one.phase.state === 'playing')
    if (outgoing !== undefined) {
      outgoing.takenBack = new Set([...tried, from.button.id])
      this.host.boundaries.settleSoon(outgoing)
      return
    }
    const why = tried.size > 0 ? `${String(tried.size)} could not be played` : 'nothing follows'
    this.#context.notice(from, `the list ends: ${why}`)
  }
}
