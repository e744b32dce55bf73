/**
 * Runs as many synthetic participants of a meeting as one process handles: their sockets, cameras and microphones, and
 * a media worker.
 */
import { setPriority } from 'node:os';
import { Crowd } from './Crowd.ts';
import type { CrowdAnswer, CrowdQuestion } from './forks.ts';

/** Lower priority than what is measured, and higher than idle fillers. */
const crowdPriority = 10;

let crowd: Crowd | undefined;

function there(): Crowd {
  if (!crowd) throw new Error('The simulated users have not been started yet.');
  return crowd;
}

async function answer(question: CrowdQuestion): Promise<CrowdAnswer> {
  switch (question.ask) {
    case 'open':
      // The media worker and the browsers are what is measured, so they must not wait for these.
      setPriority(crowdPriority);
      crowd = await Crowd.open(question.recording, question.framerate);
      return { pid: crowd.pid };
    case 'join':
      return { ids: await there().join(question) };
    case 'send':
      await there().send(question.all, question.microphones);
      return {};
    case 'look':
      await there().look(question.all);
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

process.on('message', (question: CrowdQuestion) => {
  answer(question).then(
    (value) => process.send?.({ value }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
