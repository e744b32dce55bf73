/**
 * Settings that operators can change at run time. If unset, the service's startup configuration applies, or else the
 * version's default. Names and values are the same in the app, on the command line and in the audit.
 */

/** People who may create an account: anyone, people whose number a user here has among their contacts, or nobody. */
export const registrationPolicies = ['open', 'invited', 'closed'] as const;
export type RegistrationPolicy = (typeof registrationPolicies)[number];

interface Shape {
  /** Default without an operator's setting or a variable; null means no limit. */
  readonly defaultValue: string | null;
  /** Variable with the value that applies without an operator's setting, and its service, named as in `/healthz`. */
  readonly from?: { readonly service: string; readonly variable: string };
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

const onUnlessSet = { kind: 'switch', defaultValue: 'on' } as const;

export const installationSettings: Readonly<Record<SettingName, InstallationSetting>> = {
  registration: { kind: 'choice', of: registrationPolicies, defaultValue: 'open' },
  calls: onUnlessSet,
  meetings: onUnlessSet,
  status: onUnlessSet,
  social: onUnlessSet,
  linkPreviews: { ...onUnlessSet, from: { service: 'gateway', variable: 'LINK_PREVIEWS' } },
  linkImports: { ...onUnlessSet, from: { service: 'gateway', variable: 'LINK_IMPORTS' } },
  /** Days for which messages are retained; 0 retains them until deleted. */
  messagesKeptDays: {
    kind: 'amount',
    min: 0,
    max: 36_500,
    defaultValue: '0',
    from: { service: 'chat', variable: 'MESSAGES_KEPT_DAYS' },
  },
  /** Maximum size of one file, in MiB. */
  fileMegabytes: { kind: 'amount', min: 1, max: 5_120, defaultValue: '5120' },
  groupMembers: { kind: 'amount', min: 2, max: 500, defaultValue: '500' },
  meetingParticipants: { kind: 'amount', min: 2, max: 100, defaultValue: '100' },
  newAccountHours: {
    kind: 'amount',
    min: 0,
    max: 720,
    defaultValue: '24',
    from: { service: 'gateway', variable: 'NEW_ACCOUNT_HOURS' },
  },
  textMessagesPerDay: {
    kind: 'amount',
    min: 0,
    max: 10_000_000,
    defaultValue: '5000',
    from: { service: 'identity', variable: 'SMS_PER_DAY' },
  },
  textMessagesPerCountryDay: {
    kind: 'amount',
    min: 0,
    max: 10_000_000,
    defaultValue: '1000',
    from: { service: 'identity', variable: 'SMS_PER_COUNTRY_DAY' },
  },
};

/** Settings by operators; each may be absent. */
export interface SettingValues {
  readonly registration?: RegistrationPolicy;
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

/** Normalizes a value for storage. Returns undefined if it is invalid for the setting. */
export function normalizeSettingValue(name: SettingName, text: string): string | undefined {
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

/** Describes the valid values of a setting, for an operator who entered an invalid one. */
export function describeSettingChoices(name: SettingName): string {
  const setting = installationSettings[name];
  if (setting.kind === 'amount') return `${name} must be a whole number from ${setting.min} to ${setting.max}.`;
  const values = setting.kind === 'switch' ? ['on', 'off'] : setting.of;
  return `${name} must be ${values.slice(0, -1).join(', ')} or ${values.at(-1) ?? ''}.`;
}

/** Reads settings from a service that may run another version; unknown ones are ignored. */
export function parseSettings(
  rows: readonly { name?: string | undefined; value?: string | undefined }[],
): SettingValues {
  const values: Record<string, string | number | boolean> = {};
  for (const { name = '', value: text = '' } of rows) {
    const value = isSettingName(name) ? normalizeSettingValue(name, text) : undefined;
    if (!isSettingName(name) || value === undefined) continue;
    const { kind } = installationSettings[name];
    if (kind === 'switch') values[name] = value === 'on';
    else values[name] = kind === 'amount' ? Number(value) : value;
  }
  return values;
}
