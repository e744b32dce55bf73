import type { Features } from '@nolo/api';
import type { FollowedSettings } from '@nolo/installation/settings';
import { builtFeatures, type SettingValues } from '@nolo/rules';
import type { ApiGatewayConfig } from '../config.ts';
import type { RelyingParty } from '../domain/relyingParty.ts';

export interface FeatureSources {
  readonly config: ApiGatewayConfig;
  readonly relyingParty: RelyingParty | undefined;
  readonly settings: FollowedSettings<SettingValues>;
}

/** Lists the features of this version and installation; the UI shows nothing else (decision 33). */
export function featuresOf({ config, relyingParty, settings }: FeatureSources): Features {
  const set = settings.current();
  return {
    ...builtFeatures,
    calls: builtFeatures.calls && set.calls !== false,
    meetings: builtFeatures.meetings && set.meetings !== false,
    status: builtFeatures.status && set.status !== false,
    providerSignIn: config.OIDC_ISSUER !== undefined,
    passkeys: relyingParty !== undefined,
    mailSignIn: config.MAIL_FROM !== undefined || (config.demo && config.OUTBOX_PAGE_URL !== undefined),
    linkPreviews: set.linkPreviews ?? config.LINK_PREVIEWS,
    linkImports: set.linkImports ?? config.LINK_IMPORTS,
    transcription: config.TRANSCRIBER_ADDR !== undefined,
    billing: builtFeatures.billing && config.BILLING_ADDR !== undefined,
    webhooks: builtFeatures.webhooks && config.NOTIFICATIONS_ADDR !== undefined,
    push: builtFeatures.push && config.NOTIFICATIONS_ADDR !== undefined,
    social: builtFeatures.social && config.SOCIAL_SCHEDULER_ADDR !== undefined && set.social !== false,
    backgroundBlur: config.BACKGROUND_MODEL_FILE !== undefined,
  };
}

/** Gateway variables that enable features. The version alone decides all other features. */
export const featureEnvironmentVariables: Partial<Record<keyof Features, string>> = {
  providerSignIn: 'OIDC_ISSUER',
  passkeys: 'PUBLIC_URL',
  mailSignIn: 'MAIL_FROM',
  linkPreviews: 'LINK_PREVIEWS',
  linkImports: 'LINK_IMPORTS',
  transcription: 'TRANSCRIBER_ADDR',
  billing: 'BILLING_ADDR',
  webhooks: 'NOTIFICATIONS_ADDR',
  push: 'NOTIFICATIONS_ADDR',
  social: 'SOCIAL_SCHEDULER_ADDR',
  backgroundBlur: 'BACKGROUND_MODEL_FILE',
};
