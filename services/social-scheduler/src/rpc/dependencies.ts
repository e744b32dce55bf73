import type { FollowedSettings } from '@nolo/installation/settings';
import type { UsageMeter } from '@nolo/installation/usage';
import type { SettingValues } from '@nolo/rules';
import type { LoadSocialEntitlement } from '../domain/entitlements.ts';
import type { PostStore } from '../domain/posts.ts';
import type { PostInputDependencies } from './parsePostInput.ts';

/** Dependencies of handlers; each uses a subset. */
export interface Dependencies extends PostInputDependencies {
  posts: PostStore;
  /** Operators' runtime settings. */
  installation: FollowedSettings<SettingValues>;
  entitlementOf: LoadSocialEntitlement;
  meter: Pick<UsageMeter, 'reserve' | 'release'>;
}
