import { routes } from '@nolo/api';
import type { SignInIdentity } from '@nolo/api';
import { isolateDirection } from '@nolo/rules';
import { useQueryClient } from '@tanstack/react-query';
import { Fingerprint, KeyRound, Mail, Smartphone } from 'lucide-react';
import type { ReactNode } from 'react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { useStore } from 'zustand';
import { serverNow } from '../../api/serverClock.ts';
import { call } from '../../api/httpClient.ts';
import { queryKeys, useIdentities } from '../../api/queries.ts';
import { refreshSelf, useSelf } from '../../session/self.ts';
import { useNow } from '../../shell/useNow.ts';
import { formatTimeSince } from '../../i18n/relativeTime.ts';
import { useLocale } from '../../i18n/locale.ts';
import { explainFailure } from '../../i18n/explainFailure.ts';
import { featureStore } from '../../session/features.ts';
import { ProofDeclined, proofStore, withProof } from '../../api/proof.ts';
import { showFailure } from '../../ui/failures.ts';
import { toast } from '../../ui/toasts.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { ErrorState } from '../../ui/ErrorState.tsx';
import { SkeletonRows } from '../../ui/Skeleton.tsx';
import { withoutParameter } from '../signIn/signInErrors.ts';
import { toProviderHost } from '../security/toProviderHost.ts';
import { useDeviceNameFormatter } from '../security/useDeviceNameFormatter.ts';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { canUsePasskeys } from '../passkeys/canUsePasskeys.ts';
import { LinkPhoneOrMailDialog } from './LinkPhoneOrMailDialog.tsx';
import { rememberProviderLinking, takeProviderLinkOutcome } from './linkReturn.ts';

const PasskeyDialog = lazyDialog(async () => (await import('./PasskeyDialog.tsx')).PasskeyDialog);

function useLinkOutcome(providers: number): void {
  const { t } = useTranslation();
  const location = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const outcome = takeProviderLinkOutcome(sessionStorage, location.search, providers);
    if (outcome === null) return;
    if (outcome === 'linked') {
      toast({ kind: 'success', title: t('profile.providerLinked') });
      return;
    }
    showFailure({ title: t('profile.linkFailed'), description: t(`profile.linkErrors.${outcome}`) });
    void navigate(withoutParameter(location, 'link_error'), { replace: true });
  }, [location, navigate, providers, t]);
}

/**
 * Gets a fresh proof before a sign-in method that takes minutes to add, so that it is not refused at the end. Returns
 * false without a proof.
 */
async function proveFirst(): Promise<boolean> {
  const { validUntil } = await call(routes.getProof);
  // Lasts long enough for the code that is sent next.
  const lastsMs = validUntil === null ? 0 : Date.parse(validUntil) - serverNow();
  return lastsMs > 120_000 || proofStore.getState().requestProof();
}

/** Sign-in methods: phone, providers, passkeys (decisions 6 and 38). */
export function SignInWaysCard() {
  const { t, i18n } = useTranslation();
  const self = useSelf();
  const features = useStore(featureStore, (state) => state.features);
  const { data: identities, isError, isFetching, refetch } = useIdentities();
  const [linking, setLinking] = useState<'phone' | 'email' | null>(null);
  const [passkey, setPasskey] = useState<SignInIdentity | 'new' | null>(null);
  const [unlinking, setUnlinking] = useState<SignInIdentity | null>(null);
  useLinkOutcome(self.providerIssuers.length);

  const begin = (onProven: () => void) => {
    proveFirst().then(
      (proven) => proven && onProven(),
      (error: unknown) => showFailure({ title: t('profile.linkFailed'), description: explainFailure(i18n, error) }),
    );
  };
  const link = (what: 'phone' | 'email', label: string) => (
    <Button kind="secondary" size="small" onClick={() => begin(() => setLinking(what))}>
      {label}
    </Button>
  );
  const hasOne = (wanted: SignInIdentity['type']) => identities?.some(({ type }) => type === wanted) === true;
  // An email address is an additional way back, and must not be the only one left.
  const ways = identities?.filter(({ type }) => type !== 'email').length ?? 0;

  return (
    <Card title={t('profile.signInWays')} description={t('profile.signInWaysText')}>
      {isError && !identities ? (
        <ErrorState
          className="py-4!"
          title={t('security.identitiesFailed')}
          retrying={isFetching}
          onRetry={() => void refetch()}
        />
      ) : identities === undefined ? (
        <SkeletonRows rows={2} label={t('profile.signInWays')} />
      ) : (
        <ul className="flex flex-col gap-1">
          {self.phoneNumber === null && features['phoneSignIn'] === true && (
            <Way
              icon={<Smartphone />}
              title={t('auth.phoneLabel')}
              detail={t('profile.notLinked')}
              action={link('phone', t('profile.linkPhone'))}
            />
          )}
          {identities.map((identity) => (
            <LinkedWay
              key={identity.id}
              identity={identity}
              only={ways === 1 && identity.type !== 'email'}
              change={
                identity.type === 'phone' ? (
                  link('phone', t('security.changeNumber'))
                ) : identity.type === 'email' ? (
                  link('email', t('security.changeNumber'))
                ) : identity.type === 'passkey' ? (
                  <Button
                    kind="quiet"
                    size="small"
                    aria-label={t('profile.renamePasskeyNamed', { name: nameOf(identity) })}
                    onClick={() => setPasskey(identity)}
                  >
                    {t('profile.renamePasskey')}
                  </Button>
                ) : null
              }
              onUnlink={() => setUnlinking(identity)}
            />
          ))}
          <NewWays
            providers={self.providerIssuers.length}
            hasOne={hasOne}
            begin={begin}
            onMail={() => setLinking('email')}
            onPasskey={() => setPasskey('new')}
          />
        </ul>
      )}
      {passkey !== null && (
        <PasskeyDialog passkey={passkey === 'new' ? null : passkey} onClose={() => setPasskey(null)} />
      )}
      {linking !== null && (
        <LinkPhoneOrMailDialog
          mail={linking === 'email'}
          changes={hasOne(linking)}
          onClose={() => {
            setLinking(null);
            void refetch();
          }}
        />
      )}
      <UnlinkDialog identity={unlinking} onClose={() => setUnlinking(null)} />
    </Card>
  );
}

interface NewWaysProps {
  providers: number;
  hasOne: (type: SignInIdentity['type']) => boolean;
  /** Runs the action once there is a fresh proof. */
  begin: (onProven: () => void) => void;
  onMail: () => void;
  onPasskey: () => void;
}

/** Sign-in methods that can be added. */
function NewWays({ providers, hasOne, begin, onMail, onPasskey }: NewWaysProps) {
  const { t } = useTranslation();
  const features = useStore(featureStore, (state) => state.features);
  const add = (label: string, onProven: () => void) => (
    <Button kind="secondary" size="small" onClick={() => begin(onProven)}>
      {label}
    </Button>
  );
  const toProvider = () => {
    rememberProviderLinking(sessionStorage, providers);
    location.assign('/api/login?link=1');
  };
  return (
    <>
      {!hasOne('email') && features['mailSignIn'] === true && (
        <Way
          icon={<Mail />}
          title={t('profile.email')}
          detail={t('profile.mailNone')}
          action={add(t('profile.addMail'), onMail)}
        />
      )}
      {!hasOne('provider') && features['providerSignIn'] === true && (
        <Way
          icon={<KeyRound />}
          title={t('profile.provider')}
          detail={t('profile.notLinked')}
          action={add(t('profile.linkProvider'), toProvider)}
        />
      )}
      {features['passkeys'] === true && canUsePasskeys() && (
        <Way
          icon={<Fingerprint />}
          title={t('profile.passkey')}
          detail={t('profile.passkeysNone')}
          action={add(t('profile.addPasskey'), onPasskey)}
        />
      )}
    </>
  );
}

const nameOf = ({ type, phoneNumber, name, issuer, email }: SignInIdentity): string =>
  type === 'email' ? (email ?? '') : (phoneNumber ?? name ?? toProviderHost(issuer ?? ''));

/**
 * Passkeys and addresses belong to the account alone, so they are removed; the others existed before and are unlinked.
 */
const wordsOf = (identity: SignInIdentity | null) =>
  identity?.type === 'passkey' || identity?.type === 'email' ? 'remove' : 'unlink';

const icons = { phone: <Smartphone />, provider: <KeyRound />, passkey: <Fingerprint />, email: <Mail /> };

interface LinkedWayProps {
  identity: SignInIdentity;
  only: boolean;
  change: ReactNode;
  onUnlink: () => void;
}

function LinkedWay({ identity, only, change, onUnlink }: LinkedWayProps) {
  const { t } = useTranslation();
  const locale = useLocale();
  const device = useDeviceNameFormatter();
  const { type, addedAt, addedBy, email } = identity;
  const words = wordsOf(identity);
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(Date.parse(addedAt));
  const added =
    addedBy === null ? t('security.addedOnDate', { date }) : t('security.addedOn', { date, device: device(addedBy) });
  return (
    <Way
      icon={icons[type]}
      title={type === 'phone' ? t('auth.phoneLabel') : t(`profile.${type}`)}
      detail={
        type === 'provider' && email !== null ? `${isolateDirection(nameOf(identity))} · ${email}` : nameOf(identity)
      }
      details={[added, usePasskeyWords()(identity), only && t('security.onlyWay')].filter(Boolean).join('. ')}
      action={
        <span className="flex gap-2">
          {change}
          {!only && (
            <Button
              kind="quiet"
              size="small"
              aria-label={t(`security.${words}Named`, { name: nameOf(identity) })}
              onClick={onUnlink}
            >
              {t(`security.${words}`)}
            </Button>
          )}
        </span>
      }
    />
  );
}

/** Returns where a passkey is stored and when it was last used; empty for other methods. */
function usePasskeyWords(): (identity: SignInIdentity) => string {
  const { t } = useTranslation();
  const now = useNow();
  return ({ type, synced, lastUsedAt }) => {
    if (type !== 'passkey') return '';
    const used =
      lastUsedAt === null
        ? t('profile.passkeyUnused')
        : t('profile.passkeyUsed', { time: formatTimeSince(Date.parse(lastUsedAt), now, t, 'inSentence') });
    return `${synced === true ? t('profile.passkeySynced') : t('profile.passkeyOneDevice')}, ${used}`;
  };
}

function UnlinkDialog({ identity, onClose }: { identity: SignInIdentity | null; onClose: () => void }) {
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  const words = wordsOf(identity);
  const unlink = async () => {
    if (identity === null) return;
    try {
      await withProof(() => call(routes.unlinkIdentity, { params: { id: identity.id } }));
      toast({ kind: 'success', title: t(words === 'remove' ? 'security.removed' : 'security.unlinked') });
    } catch (error) {
      if (error instanceof ProofDeclined) return;
      showFailure({ title: t('security.unlinkFailed'), description: explainFailure(i18n, error) });
      return;
    }
    onClose();
    await queryClient.invalidateQueries({ queryKey: queryKeys.identities });
    await refreshSelf().catch(() => {});
  };
  return (
    <ConfirmDialog
      open={identity !== null}
      onCancel={onClose}
      title={t(`security.${words}Title`, { name: identity === null ? '' : nameOf(identity) })}
      text={t('security.unlinkText')}
      confirmLabel={t(`security.${words}`)}
      onConfirm={unlink}
    />
  );
}

interface WayProps {
  icon: ReactNode;
  title: string;
  detail: string;
  /** Time and place of its addition. */
  details?: string;
  action?: ReactNode;
}

function Way({ icon, title, detail, details, action }: WayProps) {
  return (
    <li className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-2 py-1">
      <span
        aria-hidden="true"
        className="flex size-10 shrink-0 items-center justify-center rounded-full bg-sunken text-muted [&_svg]:size-[18px]"
      >
        {icon}
      </span>
      <span className="min-w-36 flex-1">
        <span className="block text-14 font-medium">{title}</span>
        <span className="tabular block text-13 wrap-anywhere text-muted">
          <bdi>{detail}</bdi>
        </span>
        {details !== undefined && <span className="block text-12 text-muted">{details}</span>}
      </span>
      {/* Aligned to the end on its own line if it does not fit next to the text. */}
      {action && <span className="ms-auto">{action}</span>}
    </li>
  );
}
