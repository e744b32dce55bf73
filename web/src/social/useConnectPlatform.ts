import { routes, type SocialPlatformState } from '@nolo/api';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { ApiError, call } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { onConnectResult, type ConnectOutcome } from './socialChannel.ts';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { showFailure } from '../ui/failures.ts';
import { toast } from '../ui/toasts.ts';
import { isPlanLimit, useAction } from '../ui/useAction.ts';
import { useTexts } from '../i18n/texts.ts';
import { socialTexts } from './socialTexts.ts';

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

interface ConnectionAttempt {
  platform: SocialPlatformState;
  credentials: PlatformCredentials;
  opened: Window | null;
}

interface ConnectingOptions {
  onConnected?: (platform: SocialPlatformState) => void;
  /** Shows why it failed. Absent: the topmost dialog or a toast does. */
  onFailed?: (platform: SocialPlatformState, text: string) => void;
}

/** Connects an account in a window of the platform, and detects the result. */
export function useConnectPlatform({ onConnected, onFailed }: ConnectingOptions = {}) {
  const { t } = useTexts(socialTexts);
  const words = useExplainFailure();
  const queryClient = useQueryClient();
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const reload = useRef(() => {});
  useEffect(() => {
    reload.current = () => void queryClient.invalidateQueries({ queryKey: queryKeys.social });
  });

  const reportFailure = (platform: SocialPlatformState, text: string): void => {
    if (onFailed) onFailed(platform, text);
    else showFailure({ title: t('social:connect.failed.title'), description: text });
  };

  const end = useRef<(platform: SocialPlatformState, outcome: ConnectOutcome) => void>(() => {});
  useEffect(() => {
    end.current = (platform, outcome) => {
      setWaiting(null);
      reload.current();
      if (outcome === 'connected') {
        toast({ kind: 'success', title: t('social:connect.done', { platform: platform.name }) });
        onConnected?.(platform);
        return;
      }
      const description =
        outcome === 'cancelled'
          ? t('social:connect.cancelled', { platform: platform.name })
          : outcome === 'limited'
            ? t('social:connect.limited')
            : t('social:connect.failed.text');
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

  const request = useAction(
    ({ platform, credentials }: ConnectionAttempt) =>
      call(routes.connectSocialPlatform, { params: { platform: platform.id }, body: credentials }),
    {
      failure: (error, { platform, opened }) => {
        opened?.close();
        if (isPlanLimit(error)) return;
        reportFailure(
          platform,
          error instanceof ApiError && error.status < 500 ? words(error) : t('social:connect.failed.text'),
        );
      },
      onDone: ({ authUrl }, { platform, opened }) => {
        if (authUrl === null || opened === null) {
          opened?.close();
          end.current(platform, 'connected');
        } else {
          opened.location.href = authUrl;
          setWaiting({ platform, window: opened });
        }
      },
    },
  );
  /** Resolves to true if the account is connected or being connected. */
  const connect = async (platform: SocialPlatformState, credentials: PlatformCredentials = {}): Promise<boolean> => {
    const byPassword = platform.connectBy === 'password';
    // Opened before the request, because browsers only open windows right after a press.
    const opened = byPassword ? null : window.open('', 'nolo-connect', 'popup,width=600,height=720');
    if (byPassword || opened) return (await request.run({ platform, credentials, opened })) !== undefined;
    reportFailure(platform, t('social:connect.blocked'));
    return false;
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
