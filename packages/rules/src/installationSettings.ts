/**
 * What operators change while the installation runs. Where nobody set it, what the part was started with holds, or what
 * the version has. Names and values are the same at the page, at the command line and in the audit.
 */

/** Who is let in that has no account yet: anybody, whose number somebody here has among their contacts, or nobody. */
export const registrations = ['open', 'invited', 'closed'] as const;
export type Registration = (typeof registrations)[number];

interface Shape {
  /** What somebody gets where neither an operator nor a variable says something; null where there is no such limit. */
  readonly usual: string | null;
  /** The variable that says what holds where no operator did, and the part that has it, as `/healthz` calls it. */
  readonly from?: { readonly part: string; readonly variable: string };
}

interface Switch extends Shape {
  readonly kind: 'switch';
}
interface Amount extends Shape {
  readonly kind: 'amount';
  readonly min: number;
  readonly max: number;
}
interface Choice extends Shape {
  readonly kind: 'choice';
  readonly of: readonly string[];
}
export type InstallationSetting = Switch | Amount | Choice;

export const settingNames = [
  'registration',
  'calls',
  'meetings',
  'status',
  'social',
  'linkPreviews',
  'linkImports',
  'messagesKeptDays',
  'fileMegabytes',
  'groupMembers',
  'meetingParticipants',
  'newAccountHours',
  'textMessagesPerDay',
  'textMessagesPerCountryDay',
] as const;
export type SettingName = (typeof settingNames)[number];

const onUnlessSet = { kind: 'switch', usual: 'on' } as const;

export const installationSettings: Readonly<Record<SettingName, InstallationSetting>> = {
  registration: { kind: 'choice', of: registrations, usual: 'open' },
  calls: onUnlessSet,
  meetings: onUnlessSet,
  status: onUnlessSet,
  social: onUnlessSet,
  linkPreviews: { ...onUnlessSet, from: { part: 'gateway', variable: 'LINK_PREVIEWS' } },
  linkImports: { ...onUnlessSet, from: { part: 'gateway', variable: 'LINK_IMPORTS' } },
  /** 0 keeps them until somebody deletes them. */
  messagesKeptDays: {
    kind: 'amount',
    min: 0,
    max: 36_500,
    usual: '0',
    from: { part: 'chat', variable: 'MESSAGES_KEPT_DAYS' },
  },
  /** Of one file, in MiB. */
  fileMegabytes: { kind: 'amount', min: 1, max: 5_120, usual: '5120' },
  groupMembers: { kind: 'amount', min: 2, max: 500, usual: '500' },
  meetingParticipants: { kind: 'amount', min: 2, max: 100, usual: '100' },
  newAccountHours: {
    kind: 'amount',
    min: 0,
    max: 720,
    usual: '24',
    from: { part: 'gateway', variable: 'NEW_ACCOUNT_HOURS' },
  },
  textMessagesPerDay: {
    kind: 'amount',
    min: 0,
    max: 10_000_000,
    usual: '5000',
    from: { part: 'identity', variable: 'SMS_PER_DAY' },
  },
  textMessagesPerCountryDay: {
    kind: 'amount',
    min: 0,
    max: 10_000_000,
    usual: '1000',
    from: { part: 'identity', variable: 'SMS_PER_COUNTRY_DAY' },
  },
};

/** What operators set, of which each may be absent. */
export interface SettingValues {
  readonly registration?: Registration;
  readonly calls?: boolean;
  readonly meetings?: boolean;
  readonly status?: boolean;
  readonly social?: boolean;
  readonly linkPreviews?: boolean;
  readonly linkImports?: boolean;
  readonly messagesKeptDays?: number;
  readonly fileMegabytes?: number;
  readonly groupMembers?: number;
  readonly meetingParticipants?: number;
  readonly newAccountHours?: number;
  readonly textMessagesPerDay?: number;
  readonly textMessagesPerCountryDay?: number;
}

export const isSettingName = (name: string): name is SettingName => (settingNames as readonly string[]).includes(name);

/** What somebody wrote, as it is kept; undefined where the setting cannot be that. */
export function settingValue(name: SettingName, text: string): string | undefined {
  const setting = installationSettings[name];
  const given = text.trim();
  switch (setting.kind) {
    case 'switch':
      return given === 'on' || given === 'off' ? given : undefined;
    case 'choice':
      return setting.of.find((one) => one === given);
    case 'amount': {
      const amount = /^\d{1,9}$/.test(given) ? Number(given) : -1;
      return amount >= setting.min && amount <= setting.max ? String(amount) : undefined;
    }
  }
}

/** What a setting can be, for whoever set it to something else. */
export function settingWords(name: SettingName): string {
  const setting = installationSettings[name];
  if (setting.kind === 'amount') return `${name} is a whole number from ${setting.min} to ${setting.max}.`;
  const values = setting.kind === 'switch' ? ['on', 'off'] : setting.of;
  return `${name} is ${values.slice(0, -1).join(', ')} or ${values.at(-1) ?? ''}.`;
}

/** What was set, of a service that knows settings of another version too: what is unknown here is passed over. */
export function readSettings(
  rows: readonly { name?: string | undefined; value?: string | undefined }[],
): SettingValues {
  const values: Record<string, string | number | boolean> = {};
  for (const { name = '', value: text = '' } of rows) {
    const value = isSettingName(name) ? settingValue(name, text) : undefined;
    if (!isSettingName(name) || value === undefined) continue;
    const { kind } = installationSettings[name];
    if (kind === 'switch') values[name] = value === 'on';
    else values[name] = kind === 'amount' ? Number(value) : value;
  }
  return values;
}
