import type { FollowedSettings } from '@nolo/kit/settings';
import type { UsageMeter } from '@nolo/kit/usage';
import type { SettingValues } from '@nolo/rules';
import type { LoadSocialEntitlement } from '../domain/entitlements.ts';
import type { PostStore } from '../domain/posts.ts';
import type { DraftDependencies } from './draft.ts';

/** Dependencies of handlers; each uses a subset. */
export interface Dependencies extends DraftDependencies {
  posts: PostStore;
  /** Operators' runtime settings. */
  installation: FollowedSettings<SettingValues>;
  entitlementOf: LoadSocialEntitlement;
  meter: Pick<UsageMeter, 'reserve' | 'release'>;
}
