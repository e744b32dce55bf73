import type { Log } from '@nolo/kit/log';
import Provider, { interactionPolicy, type Account, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import type { SimulatorsConfig } from '../config.ts';
import { messagePage } from '../pages/messagePage.ts';
import { signOutPage } from '../pages/signOutPage.ts';
import type { SigningKeys } from './keys.ts';
import { createMemoryAdapters } from './MemoryAdapter.ts';
import type { SimulatedPeople, SimulatedPerson } from './people.ts';

export interface ProviderDependencies {
  config: SimulatorsConfig;
  /** Origin of the simulators; the issuer is `<url>/oidc`. */
  url: string;
  people: SimulatedPeople;
  keys: SigningKeys;
  log: Log;
}

const scope = 'openid email profile';

function accountOf(person: SimulatedPerson): Account {
  return {
    accountId: person.sub,
    claims: () => ({
      sub: person.sub,
      email: person.email,
      email_verified: true,
      given_name: person.givenName,
      family_name: person.familyName,
      name: `${person.givenName} ${person.familyName}`.trim(),
    }),
  };
}

/** Adds `select_account`, with which a client requests the page although a user is signed in here. */
function policyWithAccountChoice() {
  const policy = interactionPolicy.base();
  policy.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }), 0);
  return policy;
}

/**
 * Creates a real OpenID provider (oidc-provider, certified) with one client, example people and no consent page:
 * authorization code with PKCE, RS256, userinfo, RP-initiated logout.
 */
export function createOidcProvider({ config, url, people, keys, log }: ProviderDependencies): Provider {
  // Browsers share cookies between the ports of a host, and one host may run several installations.
  const cookie = `nolo_sim_${new URL(url).port || 'default'}`;

  const loadExistingGrant = async (ctx: KoaContextWithOIDC) => {
    const { client, session, result } = ctx.oidc;
    if (!client || !session?.accountId) return undefined;
    const known = result?.consent?.grantId ?? session.grantIdFor(client.clientId);
    const existing = known === undefined ? undefined : await provider.Grant.find(known);
    if (existing?.accountId === session.accountId) return existing;
    const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
    grant.addOIDCScope(scope);
    await grant.save();
    return grant;
  };

  const configuration: Configuration = {
    adapter: createMemoryAdapters(),
    clients: [
      {
        client_id: config.OIDC_CLIENT_ID,
        client_secret: config.OIDC_CLIENT_SECRET.reveal(),
        client_name: 'Nolo',
        redirect_uris: config.OIDC_REDIRECT_URIS,
        post_logout_redirect_uris: config.OIDC_POST_LOGOUT_REDIRECT_URIS,
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [keys.signing] },
    cookies: {
      keys: keys.cookies,
      names: { session: `${cookie}_session`, interaction: `${cookie}_interaction`, resume: `${cookie}_resume` },
    },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'given_name', 'family_name'] },
    // Claims are in the ID token too, as with the large providers, not only in userinfo.
    conformIdTokenClaims: false,
    scopes: ['openid', 'email', 'profile'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      IdToken: 3600,
      Interaction: 3600,
      Grant: 14 * 86_400,
      Session: 14 * 86_400,
    },
    interactions: { policy: policyWithAccountChoice(), url: (_ctx, interaction) => `/sign-in/${interaction.uid}` },
    findAccount: (_ctx, sub) => {
      const person = people.bySubject(sub);
      return person && accountOf(person);
    },
    loadExistingGrant,
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (ctx, form) => {
          const hint = ctx.oidc.entities.IdTokenHint as { payload: { sub?: string } } | undefined;
          const confirmed = hint !== undefined && hint.payload.sub === ctx.oidc.session?.accountId;
          ctx.type = 'html';
          ctx.body = signOutPage(form, { confirmed }).text;
        },
        postLogoutSuccessSource: (ctx) => {
          ctx.type = 'html';
          ctx.body = messagePage('You are logged out', 'You can close this page.').text;
        },
      },
    },
    renderError: (ctx, out) => {
      ctx.type = 'html';
      const reason = [out.error, out.error_description].filter(Boolean).join(': ');
      ctx.body = messagePage('This sign-in cannot continue', 'Return to the previous page and try again.', reason).text;
    },
  };

  const provider = new Provider(`${url}/oidc`, configuration);
  provider.proxy = config.SIMULATORS_TRUST_PROXY;
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'OpenID simulator failed'));
  return provider;
}
