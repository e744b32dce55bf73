import { statSync } from 'node:fs';

/**
 * The files that take longest, the longest of each stage first: one of them that is begun last keeps a single processor
 * busy while the other one waits. Jest knows that by itself on a machine where it has run before; a fresh checkout does
 * not. Nobody has to keep this list exact.
 */
const slowest = [
  // Journeys.
  'e2e/accessibility.test.ts',
  'e2e/media.test.ts',
  'e2e/messages.test.ts',
  'e2e/meetingConditions.test.ts',
  'e2e/voiceNotes.test.ts',
  'e2e/meetings.test.ts',
  'e2e/meetingRecording.test.ts',
  'e2e/meetingsSurvive.test.ts',
  'engines/firefox.test.ts',
  'engines/webkit.test.ts',
  'e2e/connection.test.ts',
  'e2e/backgroundBlur.test.ts',
  'e2e/twoPeople.test.ts',
  'e2e/groupPlaces.test.ts',
  'e2e/meetingHosts.test.ts',
  'e2e/offlineTraces.test.ts',
  'e2e/calls.test.ts',
  'e2e/offline.test.ts',
  'e2e/states.test.ts',
  // Integration.
  'integration/authorization.int.test.ts',
  'integration/badInput.int.test.ts',
  'transcriber/tests/local.int.test.ts',
  'integration/meetingContract.int.test.ts',
  'integration/hostileFiles.int.test.ts',
  'meetings/tests/calls.int.test.ts',
  'integration/billing.int.test.ts',
  'integration/files.int.test.ts',
  'integration/metrics.int.test.ts',
  'integration/contract.int.test.ts',
  'launcher/npmStart.int.test.ts',
  'integration/socketAuthorization.int.test.ts',
  'integration/backup.int.test.ts',
  'integration/groupAuthorization.int.test.ts',
  'integration/transcription.int.test.ts',
  // Faults.
  'faults/chaos.test.ts',
  'faults/outages.test.ts',
  'faults/sickStore.test.ts',
  'faults/meetings.test.ts',
];

function place(path) {
  const index = slowest.findIndex((name) => path.endsWith(`/${name}`));
  return index === -1 ? slowest.length : index;
}

/** Every run in the same order: the slowest, then by size, which is what there is to go by. */
export default class Sequencer {
  sort(tests) {
    const keyed = [...tests].map((test) => ({ test, place: place(test.path), size: statSync(test.path).size }));
    keyed.sort((one, other) => one.place - other.place || other.size - one.size);
    return keyed.map(({ test }) => test);
  }

  cacheResults() {
    // Nothing is learnt: the order stays what it is.
  }
}
