/**
 * Runs as many synthetic participants of a meeting as one process handles: their sockets, cameras and microphones, and
 * a media worker.
 */
import { setPriority } from 'node:os';
import { SyntheticParticipants } from './SyntheticParticipants.ts';
import type { SyntheticParticipantsReply, SyntheticParticipantsCommand } from './forks.ts';

/** Lower priority than what is measured, and higher than idle fillers. */
const processPriority = 10;

let participants: SyntheticParticipants | undefined;

function there(): SyntheticParticipants {
  if (!participants) throw new Error('The simulated users have not been started yet.');
  return participants;
}

async function answer(question: SyntheticParticipantsCommand): Promise<SyntheticParticipantsReply> {
  switch (question.ask) {
    case 'open':
      // The media worker and the browsers are what is measured, so they must not wait for these.
      setPriority(processPriority);
      participants = await SyntheticParticipants.open(question.recording, question.framerate);
      return { pid: participants.pid };
    case 'join':
      return { ids: await there().join(question) };
    case 'send':
      await there().send(question.all, question.microphones);
      return {};
    case 'view':
      await there().viewTiles(question.all);
      return {};
    case 'play':
      await there().play();
      return {};
    case 'received':
      return { played: there().played, video: await there().received('video'), audio: await there().received('audio') };
    case 'stop':
      await there().stop();
      return {};
  }
}

process.on('message', (question: SyntheticParticipantsCommand) => {
  answer(question).then(
    (value) => process.send?.({ value }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
