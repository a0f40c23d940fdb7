// Every rule that the oracle judges by, with the sentence it stands for; D is the decisions page.

export const RULES = {
  // 1, 2: ids and bodies
  '1/ids-are-new': 'a start makes an execution with an id that nobody had',
  '1/dmx-id-apart': 'a DMX run has its own id, never that of an execution',
  '1/navigation': 'navigation buttons cannot be played',
  '2.2/execution': 'an execution answers its id, button, state, end reason',
  '2.2/position': 'positionMs is absolute in the source, floored, final once it rests',
  '2.2/late-reader':
    'who hears late reads no place past the next thing that happens to a run',
  '2.2/duration': 'durationMs is the source duration, 0 while unknown',
  '2.2/range': 'an execution tells its Start, and the End that takes effect, once that is known',
  '2.2/length-told': 'what becomes known of the length of a live run is told',
  '2.4/accepted': 'a start answers 202 with all five fields',
  '2.5/stop-answer': 'stop answers fading_out, stopped or already_stopped with its ids',
  '2.6/already-active': 'play on a live run answers already_active with its ids',
  '2.7/status': 'status tells the service, the active and the paused items',
  'D2/buttons': 'the catalogue tells each button with its flags and ids',
  // 3.1, 3.2: states
  '3.1/pairs': 'terminal state and end reason go together as 3.1 says',
  '3.2/start': 'an accepted start is starting, with a new id',
  '3.2/sounds': 'a start plays from its Start when 100 ms of it or all are decoded, not before',
  '3.2/pause-fade': 'pause with a fade: pausing, then paused where the fade ended',
  '3.2/pause-cut': 'pause without a fade: paused at once',
  '3.2/pause-again': 'a second pause changes nothing',
  '3.2/resume': 'resume of a paused run: playing, same id, position preserved',
  '3.2/resume-pausing': 'resume of a pausing run cancels the pause',
  '3.2/resume-noop': 'resume of a playing run changes nothing',
  '3.2/play-paused': 'play of a paused run resumes it and answers already_active',
  '3.2/play-active': 'play of a playing or pausing run changes nothing',
  '3.2/play-stopping': 'play of a run that fades out is refused',
  '3.2/stop-fade': 'stop with a fade: fading_out, then stopped/explicit_stop',
  '3.2/stop-cut': 'stop without a fade: stopped at once',
  '3.2/stop-paused': 'stop of a paused run ends it at once without sound',
  '3.2/stop-again': 'a second stop neither restarts the fade nor changes its length',
  '3.2/stopping-keeps': 'pause and resume cannot cancel a stop',
  '3.2/restart': 'restart ends the previous run as explicit_stop and makes a new one',
  '3.2/natural-end': 'the end of the range: completed/natural_end',
  '3.2/replaced': 'a replaced run that is not kept fades, then stopped/replaced',
  '3.2/replaced-paused': 'a replaced run that is kept ends up paused',
  '3.2/failure': 'a decoder failure: failed/playback_error',
  '3.2/terminal-stop': 'stop of a run that ended is harmless',
  '3.2/terminal-resume': 'resume of a run that ended is refused, nothing starts',
  '3.2/retention': 'terminal snapshots stay for at least 10 minutes, live runs for ever',
  '3.2/forgotten': 'after retention an execution is not found',
  '3.2/no-other-edge': 'nothing changes state without one of these causes',
  // 3.3, D3: lists
  '3.3/uninvited': 'nothing starts by itself but the successor of a run whose list goes on',
  '3.3/goes-on': 'a list that goes on starts its next item',
  '3.3/order': 'the next item is the next of the sequence, passing over what cannot play',
  '3.3/shuffle-round': 'shuffle plays every item once a round',
  '3.3/shuffle-seam': 'the next round never begins with the item that just ended',
  '3.3/gapless': 'with Mix off the next sounds on the very next frame',
  '3.3/early': 'with Mix on the next starts early, by the overlap and no earlier',
  // 3.4: loops
  '3.4.1/repeats': 'a loop repeats Start to End and does not complete',
  '3.4.5/wrap': 'the position wraps to Start plus what the head has played',
  '3.4.5/told': 'each time that a loop comes round is told, ten times a second at most',
  '3.4.7/fades':
    'a loop that fades because it was replaced goes on; the fade of a stopped one lands on End',
  '3.4.8/gains':
    'over the overlap that 3.4.8 gives, within its three limits, tail and head are mixed linearly',
  // 4.1: fades as heard
  '4.1/fade-precedence': 'a fade lasts what the first of four sources says',
  '4.1/fade-from-now': 'a fade begins at the gain of the moment',
  'D3/ramp': 'a ramp is linear by the frame, or follows the curve of its list',
  'D3/sum': 'what sounds is the sum of the runs that sound, each at its level, else silence',
  'D3/master':
    'the master stage passes sound bit for bit, and turns down only as what is too loud needs',
  'D3/starve': 'when audio starves the position holds, and goes on from there',
  'D3/starve-told': 'each time that audio starved is told, and for how long',
  'D3/range': 'a start decodes its captured range',
  'D3/opened-ahead':
    'what comes next is opened five seconds before its moment, and looks as far ahead as it needs',
  'D3/one-live-run': 'a button has at most one run that is not terminal',
  // D3: which run an id means
  'D3/id-unknown': 'an id nobody has: execution_not_found',
  'D3/id-other-button': 'an id of another button: stale_execution',
  'D3/id-older': 'an older run while a newer one is active: refused, the newer is left alone',
  'D3/id-ended': 'a run that ended, none newer: refused, or already_stopped',
  '7/button-not-found': 'an unknown button: button_not_found',
  // D3: media, output, images
  'D3/looks-first': 'a start looks whether its file is there before anything is touched',
  '7/media-missing': 'a missing file: media_file_missing, nothing is touched',
  'D3/output-lost': 'output loss fails what starts or sounds, and leaves what is paused',
  'D3/output-refuses': 'without output starts and resumes answer playback_unavailable',
  'D3/image': 'an image is shown until it is stopped or another one starts',
  'D/panic': 'panic stops everything, by its fade or the ones saved; without a fade at once',
  // D4: the command queue
  'D4/one-at-a-time': 'commands are answered one at a time, in order, each once',
  'D4/queue': 'at most 16 wait; the next is refused with command_in_progress',
  'D4/busy': 'while the show is replaced commands answer app_busy',
  'D4/deadline': 'a command that cannot finish in 5 s answers command_failed',
  '7/shutting-down': 'after shutdown began commands answer shutting_down',
  // 6: what is told of the service, and to pages
  '6/told': 'a change of the output or of the show is told at once, with its reason',
  '6.1/live':
    'a page on /live is told which runs there are, their order and fades, and where each heads for',
  // 3.5, D5: lights
  '3.5/start': 'a start with a timeline makes one DMX run with a new id',
  '3.5/follows': 'a timeline holds, goes on and ends with its media',
  '3.5/completes': 'a timeline that does not loop completes at its end',
  '3.5/sync-answer': 'sync answers the drift, whether it corrected, and the new position',
  '3.5/drift': 'drift of 100 ms is left alone, more is corrected',
  '3.5/position': 'a timeline stands where its clock says, wrapped where it loops',
  'D5/sync-refusals': 'refused sync messages answer by the order of D5 and change nothing',
  'D5/sync-state':
    'a timeline that is told its place chases; after a second of silence it freewheels',
  'D5/no-other-change': 'a timeline changes for no other reason',
  'D5/channels': 'per channel the latest start that defines it wins; else it falls to 0, or holds',
  // always
  'liveness/under-way':
    'without faults nothing stays starting, pausing or fading_out past its bound',
  'machine/never-throws': 'the engine never throws',
  'machine/no-leak': 'a stream is closed when the run that it was opened for has ended',
  'machine/deterministic': 'the same scenario gives the same records',
  'machine/same-in-any-variation':
    'another cutting of time, skipping, other ids, other order, reads, another origin: the same',
} as const

export type RuleName = keyof typeof RULES
export const RULE_NAMES = Object.keys(RULES) as readonly RuleName[]
