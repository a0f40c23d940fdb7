// The planted bugs of the way between the daemon's two threads.
import type { ThreadsRule } from '../threads/threads-rules.js'
import type { Bugs } from './mutant-place.js'

export const THREADS_BUGS: Bugs<ThreadsRule> = [
  ['threads/answered', 'an answer that comes with others is left out',
    'for (const { id, reply } of message.replies [[-> .slice(0, 1)]]) {'],
  ['threads/answered', 'an answer is heard twice',
    'for (const { id, reply } of message.replies) { this.waiting.get(id)?.(reply)'
      + ' [[this.waiting.delete(id) -> this.waiting.get(id)?.(reply)]]'],
  ['threads/own-command', 'an answer is heard before what the command did',
    '[[-> for (const { id, reply } of message.replies) this.waiting.get(id)?.(reply) ;]]'
      + ' this.readModel.apply(message.changes) for (const event of message.events) {'
      + " if (event.kind === 'catalogue' && event.change === 'replaced') this.tookShow()"
      + ' for (const listener of this.listeners) listener(event) }'
      + ' this.tellFollowers(message.events, message.changes)'
      + ' for (const { id, reply } of message.replies) { this.waiting.get(id)?.(reply)'],
  ['threads/not-busy', 'a show overtakes what waits behind the one before',
    'this.abandonShow() [[this.tellBehind() ->]] const { title, playlists } = catalogue'],
  ['threads/in-order', 'what is told while a show is under way overtakes it',
    'if ([[this.shows.isSending -> false]] || this.behind.length === 0) return'],
  ['threads/in-order', 'what waits behind a show is told for ever again',
    "this.send({ kind: 'facts', facts: this.behind }) [[this.behind = [] ->]]"],
  ['threads/show', 'a show in whose place another came is put together with that',
    'if ([[this.arriving?.show !== show -> this.arriving === null]]) { this.arriving ='],
  ['threads/in-order', 'a shutdown leaves what waits behind a show untold',
    "if (facts.some(({ kind }) => kind === 'shutdown')) [[-> this.behind = [] ,]]"
      + ' this.abandonShow() this.behind.push(...facts)'],
  ['threads/end', 'a shutdown waits for a show',
    "if ([[facts.some(({ kind }) => kind === 'shutdown') -> false]]) this.abandonShow()"],
  ['threads/show', 'readers have the show that was handed over last',
    'this.catalogue = catalogue this.coming.delete(show) [[return ->]] } }'],
  ['threads/show', 'a show that was never handed over whole becomes that of the readers',
    'if (unsent !== null) [[this.coming.delete(unsent) -> void unsent]]'],
  ['threads/at-rest', 'the show before is armed',
    'if (catalogue === null) return [[this.catalogue = catalogue ->]]'],
  ['threads/at-rest', 'what is armed no more is told as armed',
    '[[if (isArmed) this.armed.add(key) else this.armed.delete(key) -> this.armed.add(key)]]'],
  ['threads/at-rest', 'a range that becomes armed alone is told to nobody',
    'if (this.armings.length > [[0 -> 1]])'
      + " this.parts.tell({ kind: 'armed', changes: this.armings })"],
  ['threads/time', 'readers go by a frame whose news are still on their way',
    'if ([[written.news <= this.newsHeard -> true]]) this.known ='],
  ['threads/time', 'news is counted after the frame that it belongs to',
    'if (hasMoved) this.time.write(frame, this.news [[-> - 1]])'],
  ['threads/time', 'readers go by a block that is not rendered yet',
    'if (written.news <= this.newsHeard) this.known ='
      + ' Math.max(this.known, written.frame [[-> + 128]])'],
  ['threads/recording', 'a fact is recorded where the engine stands later',
    'this.inputs.push({ at: this.engine.now [[-> + 1]], fact: told(fact, show) })'],
  ['threads/recording', 'a command is recorded where the engine stands later',
    'this.inputs.push({ at: this.engine.now [[-> + 1]], command })'],
  ['threads/answered', 'a command that was answered is told as unanswered later',
    'this.waiting.set(id, (reply) => { [[cancel() ->]] answer(reply) })'],
  ['threads/own-command', 'what a stop did is told behind its answer',
    'const changes = [[this.engine.takeChanges() -> this.inputs.some(({ command }) =>'
      + " command?.kind === 'stop') ? [] : this.engine.takeChanges()]]"
      + ' const [events, replies, inputs] = [this.events, this.replies, this.inputs]'],
  ['threads/not-busy', 'the engine is told later than is recorded that no show is read any more',
    'this.parts.output.wake() }) } post(fact: Fact, show: number): void { if (this.setup.record)'
      + ' this.inputs.push({ at: this.engine.now, fact: told(fact, show) })'
      + ' [[this.engine.post(fact) -> this.parts.timers.after(50, () => this.engine.post(fact))]]'],
  ['threads/end', 'what a shutdown ends lives on for readers',
    'const changes = this.engine.takeChanges() [[-> .slice(0, this.inputs.some(({ fact }) =>'
      + " fact?.kind === 'shutdown') ? 1 : 99)]]"
      + ' const [events, replies, inputs] = [this.events, this.replies, this.inputs]'],
  ['threads/show', 'a show that the engine took is told with what happens next',
    'const isNews = changes.length + events.length + replies.length + inputs.length'
      + ' > [[0 -> 3]]'],
]
