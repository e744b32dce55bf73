import { statSync } from 'node:fs';

/**
 * The files that take longest, the longest of each stage first: one of them that is begun last keeps a single processor
 * busy while the other one waits. Jest knows that by itself on a machine where it has run before; a fresh checkout does
 * not. Nobody has to keep this list exact.
 */
const slowest = [
  // Journeys.
  'engines/firefox.test.ts',
  'e2e/billing.test.ts',
  'e2e/messages.test.ts',
  'e2e/media.test.ts',
  'e2e/twoPeople.test.ts',
  'e2e/accessibility.test.ts',
  'e2e/offlineTraces.test.ts',
  'e2e/connection.test.ts',
  'e2e/voiceNotes.test.ts',
  'e2e/calls.test.ts',
  'e2e/meetingRecording.test.ts',
  'e2e/meetingConditions.test.ts',
  'e2e/status.test.ts',
  'e2e/keyboard.test.ts',
  'e2e/groups.test.ts',
  'e2e/groupRoles.test.ts',
  'e2e/groupPlaces.test.ts',
  'e2e/socialSchedule.test.ts',
  'e2e/meetings.test.ts',
  'e2e/offline.test.ts',
  'e2e/offlineTabs.test.ts',
  'e2e/backgroundBlur.test.ts',
  'e2e/meetingNarrow.test.ts',
  'e2e/meetingHosts.test.ts',
  'e2e/encodedFrames.test.ts',
  'e2e/devices.test.ts',
  'e2e/largeUpload.test.ts',
  'e2e/narrow.test.ts',
  'e2e/uppyUpload.test.ts',
  'engines/webkit.test.ts',
  // Integration and faults, which wait more than they work and are spread among the others.
  'faults/outages.test.ts',
  'integration/authorization.int.test.ts',
  'faults/chaos.test.ts',
  'transcriber/tests/local.int.test.ts',
  'integration/badInput.int.test.ts',
  'integration/plans.int.test.ts',
  'faults/sickStore.test.ts',
  'integration/socketAuthorization.int.test.ts',
  'integration/backup.int.test.ts',
  'faults/posts.test.ts',
  'integration/metrics.int.test.ts',
  'faults/payments.test.ts',
  'social-scheduler/tests/publishing.int.test.ts',
  'files/tests/pictureProcesses.int.test.ts',
  'launcher/npmStart.int.test.ts',
  'integration/hostileFiles.int.test.ts',
  'faults/previousRelease.test.ts',
  'files/tests/s3Storage.int.test.ts',
  'integration/kit/jobs.int.test.ts',
  'faults/crowd.test.ts',
  'media-sfu/tests/nodes.int.test.ts',
  'files/tests/sharedFiles.int.test.ts',
  'billing/tests/notifications.int.test.ts',
  'integration/tracing.int.test.ts',
  'meetings/tests/mediaNodes.int.test.ts',
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
