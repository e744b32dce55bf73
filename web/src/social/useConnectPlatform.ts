import type { SocialPlatformState } from '@nolo/api';
import { routes } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, call } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { onConnectResult } from './socialChannel.ts';
import type { ConnectOutcome } from './socialChannel.ts';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { showFailure } from '../ui/failures.ts';
import { toast } from '../ui/toasts.ts';
import { useSocialWords } from './useSocialWords.ts';

/** Delay of spec section 9, in milliseconds, for windows that cannot report their result. */
const reloadMs = 2_000;
const pollIntervalMs = 500;
/** Milliseconds to wait for the result after the window closed, because its report may arrive a moment later. */
const graceMs = 1_000;

export interface PlatformCredentials {
  server?: string;
  handle?: string;
  appPassword?: string;
}

interface Waiting {
  platform: SocialPlatformState;
  window: Window;
}

interface ConnectingOptions {
  onConnected?: (platform: SocialPlatformState) => void;
  /** Shows why it failed. Absent: the topmost dialog or a toast does. */
  onFailed?: (platform: SocialPlatformState, text: string) => void;
}

/** Connects an account in a window of the platform, and detects the result. */
export function useConnectPlatform({ onConnected, onFailed }: ConnectingOptions = {}) {
  const { t } = useSocialWords();
  const words = useExplainFailure();
  const queryClient = useQueryClient();
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const reload = useRef(() => {});
  useEffect(() => {
    reload.current = () => void queryClient.invalidateQueries({ queryKey: queryKeys.social });
  });

  const reportFailure = (platform: SocialPlatformState, text: string): void => {
    if (onFailed) onFailed(platform, text);
    else showFailure({ title: t('social.connect.failed.title'), description: text });
  };

  const end = useRef<(platform: SocialPlatformState, outcome: ConnectOutcome) => void>(() => {});
  useEffect(() => {
    end.current = (platform, outcome) => {
      setWaiting(null);
      reload.current();
      if (outcome === 'connected') {
        toast({ kind: 'success', title: t('social.connect.done', { platform: platform.name }) });
        onConnected?.(platform);
        return;
      }
      const description =
        outcome === 'cancelled'
          ? t('social.connect.cancelled', { platform: platform.name })
          : outcome === 'limited'
            ? t('social.connect.limited')
            : t('social.connect.failed.text');
      reportFailure(platform, description);
    };
  });

  useEffect(() => {
    if (waiting === null) return undefined;
    const { platform, window: opened } = waiting;
    const stop = onConnectResult((ended) => {
      if (ended.platform === platform.id || ended.platform === '') end.current(platform, ended.outcome);
    });
    const reloading = setTimeout(() => reload.current(), reloadMs);
    let closing: ReturnType<typeof setTimeout> | undefined;
    const looking = setInterval(() => {
      if (opened.closed) closing ??= setTimeout(() => end.current(platform, 'cancelled'), graceMs);
    }, pollIntervalMs);
    return () => {
      stop();
      clearTimeout(reloading);
      clearInterval(looking);
      clearTimeout(closing);
    };
  }, [waiting]);

  /** Resolves to true if the account is connected or being connected. */
  const connect = async (platform: SocialPlatformState, credentials: PlatformCredentials = {}): Promise<boolean> => {
    const failed = (text: string) => reportFailure(platform, text);
    // Opened before the request, because browsers only open windows right after a press.
    const opened =
      platform.connectBy === 'password' ? null : window.open('', 'nolo-connect', 'popup,width=600,height=720');
    if (opened === null && platform.connectBy !== 'password') {
      failed(t('social.connect.blocked'));
      return false;
    }
    try {
      const { authUrl } = await call(routes.connectSocialPlatform, {
        params: { platform: platform.id },
        body: credentials,
      });
      if (authUrl === null || opened === null) {
        opened?.close();
        end.current(platform, 'connected');
      } else {
        opened.location.href = authUrl;
        setWaiting({ platform, window: opened });
      }
      return true;
    } catch (error) {
      opened?.close();
      // Plan limits are shown in their own dialog.
      if (error instanceof ApiError && error.status === 402) return false;
      failed(error instanceof ApiError && error.status < 500 ? words(error) : t('social.connect.failed.text'));
      return false;
    }
  };

  return {
    connect,
    waitingFor: waiting?.platform ?? null,
    stop: () => {
      waiting?.window.close();
      setWaiting(null);
    },
  };
}
