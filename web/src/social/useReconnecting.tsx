import type { SocialPlatformState } from '@nolo/api';
import type { SocialPlatform } from '@nolo/rules';
import { useState } from 'react';
import { ConnectDialog } from './ConnectDialog.tsx';
import { usePlatforms } from './socialQueries.ts';
import { useConnecting } from './useConnecting.ts';

/** Reconnects the account for which a post was rejected. `asking` shows any input needed first. */
export function useReconnecting() {
  const { data: platforms } = usePlatforms();
  const { connect } = useConnecting();
  const [asked, setAsked] = useState<SocialPlatformState | null>(null);
  return {
    reconnect: (id: SocialPlatform): void => {
      const platform = platforms?.find((one) => one.id === id);
      if (platform?.connectBy === 'window') void connect(platform);
      else if (platform) setAsked(platform);
    },
    asking: asked && (
      <ConnectDialog
        platform={asked}
        onConnect={(credentials) => connect(asked, credentials)}
        onClose={() => setAsked(null)}
      />
    ),
  };
}
