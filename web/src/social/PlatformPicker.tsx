import { routes, type SocialPlatformState } from '@nolo/api';
import type { SocialPlatform } from '@nolo/rules';
import { Unplug } from 'lucide-react';
import { useState } from 'react';
import { call } from '../api/httpClient.ts';
import { queryKeys } from '../api/queries.ts';
import { useExplainFailure } from '../i18n/useExplainFailure.ts';
import { Button } from '../ui/Button.tsx';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { showFailure } from '../ui/failures.ts';
import { IconButton } from '../ui/IconButton.tsx';
import { Spinner } from '../ui/Spinner.tsx';
import { useAction } from '../ui/useAction.ts';
import { ConnectDialog } from './ConnectDialog.tsx';
import { PlatformIcon } from './PlatformIcon.tsx';
import { useConnectPlatform } from './useConnectPlatform.ts';
import { useTexts } from '../i18n/texts.ts';
import { socialTexts } from './socialTexts.ts';

export interface PlatformPickerProps {
  platforms: readonly SocialPlatformState[];
  chosen: readonly SocialPlatform[];
  onChoose: (platform: SocialPlatform, isChosen: boolean) => void;
}

/** Selects the platforms of a post, and connects missing ones. */
export function PlatformPicker({ platforms, chosen, onChoose }: PlatformPickerProps) {
  const { t } = useTexts(socialTexts);
  const words = useExplainFailure();
  const [problem, setProblem] = useState<{ platform: SocialPlatform; text: string } | null>(null);
  const [platformToConnect, setPlatformToConnect] = useState<SocialPlatformState | null>(null);
  const [leaving, setLeaving] = useState<SocialPlatformState | null>(null);
  const onFailed = ({ id: at }: SocialPlatformState, text: string) => {
    // The dialog for the password or server covers the platform's row.
    if (platformToConnect) showFailure({ title: t('social:connect.failed.title'), description: text });
    else setProblem({ platform: at, text });
  };
  const { connect, waitingFor, stop } = useConnectPlatform({
    onConnected: ({ id: at }) => onChoose(at, true),
    onFailed,
  });
  const begin = (platform: SocialPlatformState) => {
    setProblem(null);
    const asks = platform.connectBy === 'password' || (platform.connectBy === 'server' && platform.servers.length > 1);
    if (asks) setPlatformToConnect(platform);
    else void connect(platform);
  };
  const choosing = useAction(
    ({ platform, accountId }: { platform: SocialPlatformState; accountId: string }) => {
      const accounts = platform.accounts.filter((one) => one.chosen !== (one.id === accountId));
      const body = { accountIds: accounts.map(({ id }) => id) };
      return call(routes.chooseSocialAccounts, { params: { platform: platform.id }, body });
    },
    { failure: (error, { platform }) => void onFailed(platform, words(error)), invalidates: [queryKeys.social] },
  );
  const choose = (platform: SocialPlatformState, accountId: string) => {
    setProblem(null);
    void choosing.run({ platform, accountId });
  };
  return (
    <fieldset className="flex min-w-0 flex-col">
      <legend className="mb-1.5 text-13 font-medium">{t('social:compose.platforms')}</legend>
      <ul className="divide-y divide-line rounded-card border border-line">
        {platforms
          .filter(({ offered, accounts }) => offered || accounts.length > 0)
          // Selectable platforms come first.
          .toSorted((one, other) => Number(other.connected) - Number(one.connected))
          .map((platform) => (
            <li key={platform.id} className="px-3 py-2">
              <div className="flex min-h-9 items-center gap-3">
                <PlatformIcon platform={platform.id} />
                {platform.connected ? (
                  <ConnectedPlatform
                    platform={platform}
                    checked={chosen.includes(platform.id)}
                    onToggle={() => onChoose(platform.id, !chosen.includes(platform.id))}
                  />
                ) : (
                  <span className="min-w-0 flex-1 truncate text-14">{platform.name}</span>
                )}
                {waitingFor?.id === platform.id ? (
                  <span role="status" className="flex items-center gap-2 text-13 text-muted">
                    <Spinner />
                    <span className="sr-only sm:not-sr-only">
                      {t('social:connect.waiting', { platform: platform.name })}
                    </span>
                    <Button kind="quiet" size="small" onClick={stop}>
                      {t('social:connect.stop')}
                    </Button>
                  </span>
                ) : platform.connected ? (
                  <IconButton
                    size="small"
                    label={t('social:connect.disconnectFrom', { platform: platform.name })}
                    icon={<Unplug aria-hidden="true" />}
                    onClick={() => setLeaving(platform)}
                  />
                ) : (
                  <Button
                    kind="secondary"
                    size="small"
                    aria-label={t('social:connect.connectTo', { platform: platform.name })}
                    onClick={() => begin(platform)}
                  >
                    {platform.accounts.length > 0 ? t('social:reconnect') : t('social:connect.connect')}
                  </Button>
                )}
              </div>
              {problem?.platform === platform.id && (
                <p role="alert" className="ms-11 text-13 text-danger-text">
                  <span className="font-medium">{t('social:connect.failed.title')}</span>: {problem.text}
                </p>
              )}
              {platform.accounts.length > 1 && (
                <AccountChoice platform={platform} onChoose={(accountId) => choose(platform, accountId)} />
              )}
            </li>
          ))}
      </ul>
      {platformToConnect && (
        <ConnectDialog
          platform={platformToConnect}
          onConnect={(credentials) => connect(platformToConnect, credentials)}
          onClose={() => setPlatformToConnect(null)}
        />
      )}
      {leaving && (
        <DisconnectQuestion
          platform={leaving}
          onDone={() => onChoose(leaving.id, false)}
          onClose={() => setLeaving(null)}
        />
      )}
    </fieldset>
  );
}

interface DisconnectQuestionProps {
  platform: SocialPlatformState;
  onDone: () => void;
  onClose: () => void;
}

/** Asks before disconnecting a platform. If that fails, stays open and shows the reason. */
function DisconnectQuestion({ platform: { id, name }, onDone, onClose }: DisconnectQuestionProps) {
  const { t } = useTexts(socialTexts);
  const disconnect = useAction(routes.disconnectSocialPlatform, {
    failure: t('social:connect.disconnectFailed', { platform: name }),
    invalidates: [queryKeys.social],
    onDone: () => {
      onDone();
      onClose();
    },
  });
  return (
    <ConfirmDialog
      open
      title={t('social:connect.disconnectTitle', { platform: name })}
      text={t('social:connect.disconnectText')}
      confirmLabel={t('social:connect.disconnect')}
      onCancel={onClose}
      onConfirm={() => disconnect.run({ params: { platform: id }, query: {} })}
    />
  );
}

interface ConnectedPlatformProps {
  platform: SocialPlatformState;
  checked: boolean;
  onToggle: () => void;
}

function ConnectedPlatform({ platform: { name, accounts }, checked, onToggle }: ConnectedPlatformProps) {
  return (
    <label className="flex min-h-9 min-w-0 flex-1 cursor-pointer items-center gap-3 text-14">
      <input
        type="checkbox"
        aria-label={name}
        className="size-5 shrink-0 accent-accent"
        checked={checked}
        onChange={onToggle}
      />
      <span className="min-w-0 flex-1">
        <span className="block truncate font-medium">{name}</span>
        {accounts.length === 1 && <bdi className="block truncate text-13 text-muted">{accounts[0]?.name}</bdi>}
      </span>
    </label>
  );
}

interface AccountChoiceProps {
  platform: SocialPlatformState;
  onChoose: (accountId: string) => void;
}

/** Selects the account for posts if a platform has several. */
function AccountChoice({ platform, onChoose }: AccountChoiceProps) {
  return (
    <div className="ms-11 flex flex-col pt-1">
      {platform.accounts.map(({ id, name, chosen }) => (
        <label key={id} className="flex min-h-8 items-center gap-2 text-13">
          <input type="checkbox" className="size-4 accent-accent" checked={chosen} onChange={() => onChoose(id)} />
          <bdi className="truncate">{name}</bdi>
        </label>
      ))}
    </div>
  );
}
