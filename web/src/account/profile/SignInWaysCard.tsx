import { routes, type SignInIdentity } from '@nolo/api';
import { isolateDirection } from '@nolo/rules';
import { Fingerprint, KeyRound, Mail, Smartphone } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { useStore } from 'zustand';
import { serverNow } from '../../api/serverClock.ts';
import { call } from '../../api/httpClient.ts';
import { queryKeys, useIdentities } from '../../api/queries.ts';
import { refreshSelf, useSelf } from '../../session/self.ts';
import { useNow } from '../../shell/useNow.ts';
import { formatTimeSince } from '../../i18n/relativeTime.ts';
import { useLocale } from '../../i18n/locale.ts';
import { featureStore } from '../../session/features.ts';
import { proofStore } from '../../api/proof.ts';
import { showFailure } from '../../ui/failures.ts';
import { toast } from '../../ui/toasts.ts';
import { useAction } from '../../ui/useAction.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { QueryPlaceholder } from '../../ui/QueryPlaceholder.tsx';
import { withoutParameter } from '../signIn/signInErrors.ts';
import { toProviderHost } from '../security/toProviderHost.ts';
import { useDeviceNameFormatter } from '../security/useDeviceNameFormatter.ts';
import { lazyDialog } from '../../ui/lazyDialog.tsx';
import { canUsePasskeys } from '../passkeys/canUsePasskeys.ts';
import { IconRow } from '../IconRow.tsx';
import { LinkPhoneOrMailDialog } from './LinkPhoneOrMailDialog.tsx';
import { rememberProviderLinking, takeProviderLinkOutcome } from './linkReturn.ts';
import { useTexts } from '../../i18n/texts.ts';
import { profileTexts } from './profileTexts.ts';
import { securityTexts } from '../security/securityTexts.ts';

const PasskeyDialog = lazyDialog(async () => (await import('./PasskeyDialog.tsx')).PasskeyDialog);

function useLinkOutcome(providers: number): void {
  const { t } = useTexts(profileTexts);
  const location = useLocation();
  const navigate = useNavigate();
  useEffect(() => {
    const outcome = takeProviderLinkOutcome(sessionStorage, location.search, providers);
    if (outcome === null) return;
    if (outcome === 'linked') {
      toast({ kind: 'success', title: t('profile:providerLinked') });
      return;
    }
    showFailure({ title: t('profile:linkFailed'), description: t(`profile:linkErrors.${outcome}`) });
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
  const { t } = useTexts(profileTexts, securityTexts);
  const self = useSelf();
  const features = useStore(featureStore, (state) => state.features);
  const query = useIdentities();
  const { data: identities, refetch } = query;
  const [linking, setLinking] = useState<'phone' | 'email' | null>(null);
  const [passkey, setPasskey] = useState<SignInIdentity | 'new' | null>(null);
  const [unlinking, setUnlinking] = useState<SignInIdentity | null>(null);
  useLinkOutcome(self.providerIssuers.length);

  const prove = useAction(proveFirst, { failure: t('profile:linkFailed') });
  const begin = (onProven: () => void) => void prove.run().then((done) => done?.result && onProven());
  const link = (what: 'phone' | 'email', label: string) => (
    <Button kind="secondary" size="small" onClick={() => begin(() => setLinking(what))}>
      {label}
    </Button>
  );
  const hasOne = (wanted: SignInIdentity['type']) => identities?.some(({ type }) => type === wanted) === true;
  // An email address is an additional way back, and must not be the only one left.
  const ways = identities?.filter(({ type }) => type !== 'email').length ?? 0;

  return (
    <Card title={t('profile:signInWays')} description={t('profile:signInWaysText')}>
      {identities === undefined ? (
        <QueryPlaceholder
          query={query}
          failed={t('security:identitiesFailed')}
          loading={t('profile:signInWays')}
          rows={2}
        />
      ) : (
        <ul className="flex flex-col gap-1">
          {self.phoneNumber === null && features['phoneSignIn'] === true && (
            <IconRow
              icon={icons.phone}
              title={t('auth.phoneLabel')}
              text={t('profile:notLinked')}
              action={link('phone', t('profile:linkPhone'))}
            />
          )}
          {identities.map((identity) => (
            <LinkedWay
              key={identity.id}
              identity={identity}
              only={ways === 1 && identity.type !== 'email'}
              change={
                identity.type === 'phone' ? (
                  link('phone', t('security:changeNumber'))
                ) : identity.type === 'email' ? (
                  link('email', t('security:changeNumber'))
                ) : identity.type === 'passkey' ? (
                  <Button
                    kind="quiet"
                    size="small"
                    aria-label={t('profile:renamePasskeyNamed', { name: nameOf(identity) })}
                    onClick={() => setPasskey(identity)}
                  >
                    {t('profile:renamePasskey')}
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
  const { t } = useTexts(profileTexts);
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
        <IconRow
          icon={icons.email}
          title={t('profile:email')}
          text={t('profile:mailNone')}
          action={add(t('profile:addMail'), onMail)}
        />
      )}
      {!hasOne('provider') && features['providerSignIn'] === true && (
        <IconRow
          icon={icons.provider}
          title={t('profile:provider')}
          text={t('profile:notLinked')}
          action={add(t('profile:linkProvider'), toProvider)}
        />
      )}
      {features['passkeys'] === true && canUsePasskeys() && (
        <IconRow
          icon={icons.passkey}
          title={t('profile:passkey')}
          text={t('profile:passkeysNone')}
          action={add(t('profile:addPasskey'), onPasskey)}
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
  const { t } = useTexts(profileTexts, securityTexts);
  const locale = useLocale();
  const device = useDeviceNameFormatter();
  const { type, addedAt, addedBy, email } = identity;
  const words = wordsOf(identity);
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(Date.parse(addedAt));
  const added =
    addedBy === null ? t('security:addedOnDate', { date }) : t('security:addedOn', { date, device: device(addedBy) });
  return (
    <IconRow
      icon={icons[type]}
      title={type === 'phone' ? t('auth.phoneLabel') : t(`profile:${type}`)}
      text={
        <bdi>
          {type === 'provider' && email !== null
            ? `${isolateDirection(nameOf(identity))} · ${email}`
            : nameOf(identity)}
        </bdi>
      }
      below={[added, usePasskeyWords()(identity), only && t('security:onlyWay')].filter(Boolean).join('. ')}
      action={
        <span className="flex gap-2">
          {change}
          {!only && (
            <Button
              kind="quiet"
              size="small"
              aria-label={t(`security:${words}Named`, { name: nameOf(identity) })}
              onClick={onUnlink}
            >
              {t(`security:${words}`)}
            </Button>
          )}
        </span>
      }
    />
  );
}

/** Returns where a passkey is stored and when it was last used; empty for other methods. */
function usePasskeyWords(): (identity: SignInIdentity) => string {
  const { t } = useTexts(profileTexts);
  const now = useNow();
  return ({ type, synced, lastUsedAt }) => {
    if (type !== 'passkey') return '';
    const used =
      lastUsedAt === null
        ? t('profile:passkeyUnused')
        : t('profile:passkeyUsed', { time: formatTimeSince(Date.parse(lastUsedAt), now, t, 'inSentence') });
    return `${synced === true ? t('profile:passkeySynced') : t('profile:passkeyOneDevice')}, ${used}`;
  };
}

function UnlinkDialog({ identity, onClose }: { identity: SignInIdentity | null; onClose: () => void }) {
  const { t } = useTexts(securityTexts);
  const words = wordsOf(identity);
  const unlink = useAction(routes.unlinkIdentity, {
    invalidates: [queryKeys.identities],
    failure: t('security:unlinkFailed'),
    onDone: () => {
      toast({ kind: 'success', title: t(words === 'remove' ? 'security:removed' : 'security:unlinked') });
      onClose();
      refreshSelf().catch(() => {});
    },
  });
  return (
    <ConfirmDialog
      open={identity !== null}
      onCancel={onClose}
      title={t(`security:${words}Title`, { name: identity === null ? '' : nameOf(identity) })}
      text={t('security:unlinkText')}
      confirmLabel={t(`security:${words}`)}
      onConfirm={async () => void (identity && (await unlink.run({ params: { id: identity.id } })))}
    />
  );
}
