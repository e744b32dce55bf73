import type { Mail } from './securityPorts.ts';

/** What the owner of a webhook is told when nothing is sent to it any more. No link, so that nobody learns to follow one. */
export function webhookDisabledMail({ host, gone }: { host: string; gone: boolean }): Omit<Mail, 'to'> {
  const why = gone
    ? 'It answered that it is gone (HTTP status 410).'
    : 'For five days nothing that was sent to it came through.';
  const lines = [
    `Nothing is sent to your webhook at ${host} any more. ${why}`,
    'Once it takes requests again, switch it on in Nolo: Profile, Developer, Webhooks. What was not delivered can be sent again there for 30 days.',
  ];
  return { subject: 'A webhook of your Nolo account was switched off', text: `${lines.join('\n\n')}\n` };
}
