import { createAppError } from '@nolo/kit/errors';
import { newId, type UserId } from '@nolo/kit/ids';
import { HoldJobError, type Job } from '@nolo/kit/jobs';
import { createLog } from '@nolo/kit/log';
import { Counter, Registry } from '@nolo/kit/telemetry';
import type { PeopleDirectory } from '../domain/ports.ts';
import { BillingMailRefusedError } from '../mail/mail.ts';
import { deliverMail } from './deliverMail.ts';

type Mailing = ReturnType<typeof deliverMail>;

test('an email waits while identity cannot name its recipient, and is sent once it can', async () => {
  const state = { away: true };
  const people: Pick<PeopleDirectory, 'find'> = {
    async find() {
      if (state.away) throw createAppError('unavailable', 'service_unavailable', 'The service is unavailable.');
      return {
        firstName: 'Ann',
        lastName: 'Lee',
        email: 'ann@example.org',
        reader: { language: 'en', timeZone: 'Europe/Berlin' },
      };
    },
  };
  const sent: string[] = [];
  const send = deliverMail({
    sender: { send: async ({ to }) => void sent.push(to) },
    people: people as PeopleDirectory,
    orders: { findReceipt: async () => undefined } as unknown as Parameters<typeof deliverMail>[0]['orders'],
    publicUrl: 'https://nolo.example',
    metrics: {
      mails: new Counter({ name: 'mails', help: 'Mails.', labelNames: ['outcome'], registers: [new Registry()] }),
    },
    log: createLog({ service: 'test', level: 'silent' }),
  });
  const job = {
    id: newId(),
    attempt: 1,
    payload: { userId: newId<UserId>(), about: 'ended', item: 'plus', at: new Date().toISOString() },
  } as unknown as Parameters<Mailing>[0] & Job<unknown>;
  await expect(send(job)).rejects.toBeInstanceOf(HoldJobError);
  expect(sent).toEqual([]);
  state.away = false;
  await send(job);
  expect(sent).toEqual(['ann@example.org']);
});

test.each([
  ['failed', new Error('The mail server did not accept the email (EAUTH, 535).')],
  ['refused', new BillingMailRefusedError('The mail server did not accept the email (EENVELOPE, 550).')],
])('an email that the server does not accept counts as %s', async (outcome, error) => {
  const mails = new Counter({ name: 'mails', help: 'Mails.', labelNames: ['outcome'], registers: [new Registry()] });
  const person = {
    firstName: 'Ann',
    lastName: 'Lee',
    email: 'ann@example.org',
    reader: { language: 'en', timeZone: 'UTC' },
  };
  const send = deliverMail({
    sender: { send: () => Promise.reject(error) },
    people: { find: async () => person } as unknown as PeopleDirectory,
    orders: { findReceipt: async () => undefined } as unknown as Parameters<typeof deliverMail>[0]['orders'],
    publicUrl: 'https://nolo.example',
    metrics: { mails },
    log: createLog({ service: 'test', level: 'silent' }),
  });
  const payload = { userId: newId<UserId>(), about: 'ended', item: 'plus', at: new Date().toISOString() };
  await expect(send({ id: newId(), attempt: 1, payload } as unknown as Parameters<Mailing>[0])).rejects.toThrow();
  expect((await mails.get()).values).toMatchObject([{ labels: { outcome }, value: 1 }]);
});
