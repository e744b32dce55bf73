import { sampleOnScrape, Counter, Gauge, type Registry } from '@nolo/kit/telemetry';

export interface IdentityMetrics {
  codeSends: Counter<'outcome'>;
  signIns: Counter<'method' | 'outcome'>;
  mails: Counter<'outcome'>;
  accessTokens: Counter<'event'>;
  operatorActs: Counter<'action'>;
  reports: Counter<'kind'>;
  secondFactor: Counter<'event'>;
  deviceLists: Counter<'outcome'>;
  deviceLinks: Counter<'event'>;
}

interface MetricQueries {
  textMessagesPerDay: () => number;
  devices: () => Promise<readonly { state: string; count: number }[]>;
}

/** Metrics of devices with keys. */
function createKeyMetrics(
  registry: Registry,
  devices: MetricQueries['devices'],
): Pick<IdentityMetrics, 'deviceLists' | 'deviceLinks'> {
  const registers = [registry];
  const counted = sampleOnScrape(devices);
  new Gauge({
    name: 'nolo_devices',
    help: 'Devices with keys by state: active, suspended, or removed.',
    labelNames: ['state'],
    registers,
    async collect() {
      this.reset();
      for (const { state, count } of (await counted()) ?? []) this.set({ state }, count);
    },
  });
  return {
    deviceLists: new Counter({
      name: 'nolo_device_lists_total',
      help: 'Device lists received, by outcome: accepted, repeated, conflict, unproven, session_missing, device_mismatch, device_present, vault_missing, limited, or the reason why the list is not in order: malformed, version, signature, order, rights, or subject.',
      labelNames: ['outcome'] as const,
      registers,
    }),
    deviceLinks: new Counter({
      name: 'nolo_device_links_total',
      help: 'Links of new devices by event: begun, challenged, opened, confirmed, answered, linked, ended by a side, refused, or expired.',
      labelNames: ['event'] as const,
      registers,
    }),
  };
}

/** Metrics specific to this service. Kit measures RPCs. */
export function createIdentityMetrics(
  registry: Registry,
  { textMessagesPerDay, devices }: MetricQueries,
): IdentityMetrics {
  new Gauge({
    name: 'nolo_text_messages_daily_budget',
    help: 'Maximum text messages with codes that the installation sends per day.',
    registers: [registry],
    collect() {
      this.set(textMessagesPerDay());
    },
  });
  return {
    ...createKeyMetrics(registry, devices),
    codeSends: new Counter({
      name: 'nolo_codes_sent_total',
      help: 'Requested verification codes by outcome: sent, challenged (work was required first), limited, over_budget, or failed.',
      labelNames: ['outcome'] as const,
      registers: [registry],
    }),
    signIns: new Counter({
      name: 'nolo_sign_ins_total',
      help: 'Sign-ins by method (phone, provider, or passkey) and outcome (created or known).',
      labelNames: ['method', 'outcome'] as const,
      registers: [registry],
    }),
    accessTokens: new Counter({
      name: 'nolo_access_tokens_total',
      help: 'Personal access tokens by event: created or revoked.',
      labelNames: ['event'] as const,
      registers: [registry],
    }),
    reports: new Counter({
      name: 'nolo_reports_total',
      help: 'Reports to the operators by kind: person, message, group, or status.',
      labelNames: ['kind'] as const,
      registers: [registry],
    }),
    operatorActs: new Counter({
      name: 'nolo_operator_acts_total',
      help: 'Actions of operators on the admin page: looked_up, suspended, lifted, signed_out, deleted, reopened, announced, work_retried, work_discarded, room_ended, group_looked_up, host_barred, host_unbarred, mail_invitation_sent, mail_invitation_withdrawn, or setting_changed.',
      labelNames: ['action'] as const,
      registers: [registry],
    }),
    secondFactor: new Counter({
      name: 'nolo_second_factor_total',
      help: 'Second-factor events: added, removed, renewed (recovery codes), asked (required after an SMS code), passed, proved (fresh proof), wrong, limited, wait_asked, wait_refused, or wait_over (the account was given without it).',
      labelNames: ['event'] as const,
      registers: [registry],
    }),
    mails: new Counter({
      name: 'nolo_mails_total',
      help: 'Account emails by outcome of an attempt: sent, failed (retried for two days), refused permanently, or dropped because no mail server is configured.',
      labelNames: ['outcome'] as const,
      registers: [registry],
    }),
  };
}
