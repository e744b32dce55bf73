import {
  defaultPrivacySettings,
  listPrivacyChoices,
  pickPrivacyChoices,
  privacyChoiceNames,
  privacyOptionsOf,
} from './privacyChoices.ts';

test('each choice belongs to one service, and options go from the most open to the strictest', () => {
  const listed = (['identity', 'chat', 'meetings'] as const).flatMap((service) => listPrivacyChoices(service));
  expect(listed.toSorted()).toEqual(privacyChoiceNames.toSorted());
  expect(privacyOptionsOf('groupsFrom')).toEqual(['everyone', 'contacts', 'nobody']);
  expect(privacyOptionsOf('discoverable')).toBeUndefined();
});

test('a service gets only its own choices', () => {
  expect(pickPrivacyChoices('chat', defaultPrivacySettings)).toEqual({ shareReceipts: true });
  expect(pickPrivacyChoices('meetings', { relayCalls: null, groupsFrom: 'nobody' })).toEqual({ relayCalls: null });
});
