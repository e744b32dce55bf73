import { statSync } from 'node:fs';

/**
 * Slowest test files, longest first within each stage. If one of them starts last, it keeps one CPU busy while the
 * other idles. Jest knows the order only on a machine where it has run before, not in a fresh checkout. The list need
 * not be exact.
 */
const slowest = [
  // End-to-end tests.
  'e2e/sealedTabs.test.ts',
  'e2e/sealedGroups.test.ts',
  'e2e/billing.test.ts',
  'e2e/meetingRecording.test.ts',
  'engines/firefox.test.ts',
  'e2e/content.test.ts',
  'e2e/messages.test.ts',
  'e2e/media.test.ts',
  'e2e/sealed.test.ts',
  'e2e/offlineTraces.test.ts',
  'e2e/meetingConditions.test.ts',
  'e2e/accessibility.test.ts',
  'e2e/offline.test.ts',
  'e2e/status.test.ts',
  'e2e/keyboard.test.ts',
  'e2e/keys.test.ts',
  'e2e/connection.test.ts',
  'e2e/twoPeople.test.ts',
  'e2e/calls.test.ts',
  'e2e/groups.test.ts',
  'e2e/devices.test.ts',
  'e2e/meetingNarrow.test.ts',
  'e2e/origin.test.ts',
  'e2e/meetingHosts.test.ts',
  'e2e/offlineTabs.test.ts',
  'e2e/groupRoles.test.ts',
  'e2e/encodedFrames.test.ts',
  'e2e/largeUpload.test.ts',
  'e2e/groupPlaces.test.ts',
  // Integration and fault tests.
  'faults/chaos.test.ts',
  'integration/authorization.int.test.ts',
  'faults/outages.test.ts',
  'integration/badInput.int.test.ts',
  'transcriber/tests/local.int.test.ts',
  'faults/posts.test.ts',
  'files/tests/pictureProcesses.int.test.ts',
  'integration/backup.int.test.ts',
  'social-scheduler/tests/publishing.int.test.ts',
  'faults/sickStore.test.ts',
  'integration/socketAuthorization.int.test.ts',
  'integration/plans.int.test.ts',
  'faults/payments.test.ts',
  'meetings/tests/guessing.int.test.ts',
  'files/tests/s3Storage.int.test.ts',
  'files/tests/sharedPictures.int.test.ts',
  'identity/tests/deviceLists.int.test.ts',
  'faults/canaries.test.ts',
  'integration/metrics.int.test.ts',
  'kit/tests/jobs.int.test.ts',
  'files/tests/pictures.int.test.ts',
  'billing/tests/notifications.int.test.ts',
  'integration/hostileFiles.int.test.ts',
  'integration/sealedConversations.int.test.ts',
  'media-sfu/tests/nodes.int.test.ts',
  'identity/tests/vaultLists.int.test.ts',
  'files/tests/exports.int.test.ts',
  'integration/sealedChanges.int.test.ts',
  'integration/longInput.int.test.ts',
  'meetings/tests/ringingCalls.int.test.ts',
  'gateway/tests/limits.int.test.ts',
  'faults/previousRelease.test.ts',
];

function place(path) {
  const index = slowest.findIndex((name) => path.endsWith(`/${name}`));
  return index === -1 ? slowest.length : index;
}

/** Uses the same order in every run: the slowest files, then by size, the only other hint available. */
export default class Sequencer {
  sort(tests) {
    const keyed = [...tests].map((test) => ({ test, place: place(test.path), size: statSync(test.path).size }));
    keyed.sort((one, other) => one.place - other.place || other.size - one.size);
    return keyed.map(({ test }) => test);
  }

  cacheResults() {
    // Results are not cached, so the order stays the same.
  }
}
