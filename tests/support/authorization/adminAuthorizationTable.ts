import { randomUUID } from 'node:crypto';
import type { RouteName } from '@nolo/api';
import { nothing, type RouteExpectation } from './routeExpectation.ts';

/** The cast contains no operator. */
const operatorsOnly = {
  operator: 200,
  expected: {
    stranger: 403,
    neighbour: 403,
    removed: 403,
    blocked: 403,
    coHost: 403,
    member: 403,
    owner: 403,
  },
} as const;
const body = { reason: 'A test.' };
const queue = { part: 'status', kind: 'event', queue: 'identity' };

/**
 * Expectations of operator routes: refused to everyone else, no matter who the target is. The table's operator calls
 * all of them in this order, for an account of their own.
 */
export const adminExpectations = {
  openAdmin: { attempt: nothing, ...operatorsOnly },
  getAdminState: { attempt: nothing, ...operatorsOnly },
  getAdminWork: { attempt: nothing, ...operatorsOnly },
  listSetAsideWork: { attempt: () => ({ query: queue }), ...operatorsOnly },
  // The id is unknown, because no work is set aside here: the service's own tests cover that.
  retrySetAsideWork: { attempt: () => ({ body: { ...queue, id: randomUUID() } }), ...operatorsOnly, operator: 404 },
  discardSetAsideWork: {
    attempt: () => ({ body: { ...queue, id: randomUUID(), reason: 'A test.' } }),
    ...operatorsOnly,
    operator: 404,
  },
  listLiveRooms: { attempt: nothing, ...operatorsOnly },
  // The rooms are empty: operator.int.test.ts covers occupied ones.
  endLiveRoom: { attempt: () => ({ id: randomUUID(), body }), ...operatorsOnly, operator: 404 },
  listBarredHosts: { attempt: nothing, ...operatorsOnly },
  // A public suffix alone is no host, and no host with an unknown name is barred.
  barHosts: {
    attempt: () => ({ body: { hosts: ['com'], withSubdomains: true, reason: 'A test.' } }),
    ...operatorsOnly,
    operator: 400,
  },
  unbarHost: {
    attempt: () => ({ body: { host: 'nobody.example', reason: 'A test.' } }),
    ...operatorsOnly,
    operator: 404,
  },
  listMailInvitations: { attempt: nothing, ...operatorsOnly },
  // Invalid address, so that nobody gets an email.
  inviteByMail: {
    attempt: () => ({ body: { emails: ['nobody'], language: 'en' } }),
    ...operatorsOnly,
    operator: 400,
  },
  withdrawMailInvitation: { attempt: () => ({ id: randomUUID() }), ...operatorsOnly, operator: 404 },
  listAnnouncements: { attempt: nothing, ...operatorsOnly },
  // An announcement would reach everyone here, so this one has an invalid end; the services' own tests cover others.
  makeAnnouncement: {
    attempt: () => ({ body: { texts: { en: 'A test.' }, severity: 'info', until: '2999-01-01T00:00:00.000Z' } }),
    ...operatorsOnly,
    operator: 400,
  },
  endAnnouncement: { attempt: () => ({ id: randomUUID() }), ...operatorsOnly, operator: 404 },
  listSettings: { attempt: nothing, ...operatorsOnly },
  // Applies to the whole installation: operatorSettings.int.test.ts changes one.
  changeSetting: {
    attempt: () => ({ params: { name: 'calls' }, body: { value: 'perhaps' } }),
    ...operatorsOnly,
    operator: 400,
  },
  findAccounts: { attempt: ({ owner }) => ({ query: { q: owner.id } }), ...operatorsOnly },
  suspendAccount: { attempt: ({ owner }) => ({ id: owner.id, body }), ...operatorsOnly },
  liftSuspension: { attempt: ({ owner }) => ({ id: owner.id, body }), ...operatorsOnly },
  signOutAccount: { attempt: ({ owner }) => ({ id: owner.id, body }), ...operatorsOnly },
  eraseAccount: { attempt: ({ owner }) => ({ id: owner.id, body }), ...operatorsOnly, operator: 204 },
  reopenAccount: { attempt: ({ owner }) => ({ id: owner.id, body }), ...operatorsOnly },
  listOperatorActs: { attempt: nothing, ...operatorsOnly },
  verifyOperatorActs: { attempt: nothing, ...operatorsOnly },
  listReports: { attempt: nothing, ...operatorsOnly },
  getReportPicture: { attempt: () => ({ id: randomUUID() }), ...operatorsOnly, operator: 404 },
  changeReport: {
    // The report does not exist: identity's own tests have some.
    attempt: () => ({ id: randomUUID(), body: { state: 'in_progress', note: 'A test.' } }),
    ...operatorsOnly,
    operator: 404,
  },
} as const satisfies Partial<Record<RouteName, RouteExpectation>>;
