import type { SocialPlatformState } from '@nolo/api';
import type { SocialPlatform } from '@nolo/rules';
import { useState } from 'react';
import { ConnectDialog } from './ConnectDialog.tsx';
import { usePlatforms } from './socialQueries.ts';
import { useConnectPlatform } from './useConnectPlatform.ts';

/** Reconnects the account for which a post was rejected. `connectDialog` shows any input needed first. */
export function useReconnectPlatform() {
  const { data: platforms } = usePlatforms();
  const { connect } = useConnectPlatform();
  const [platformToConnect, setPlatformToConnect] = useState<SocialPlatformState | null>(null);
  return {
    reconnect: (id: SocialPlatform): void => {
      const platform = platforms?.find((one) => one.id === id);
      if (platform?.connectBy === 'window') void connect(platform);
      else if (platform) setPlatformToConnect(platform);
    },
    connectDialog: platformToConnect && (
      <ConnectDialog
        platform={platformToConnect}
        onConnect={(credentials) => connect(platformToConnect, credentials)}
        onClose={() => setPlatformToConnect(null)}
      />
    ),
  };
}
