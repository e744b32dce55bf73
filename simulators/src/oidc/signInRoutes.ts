import { Router, urlencoded, type ErrorRequestHandler } from 'express';
import { errors, type default as Provider } from 'oidc-provider';
import { z } from 'zod';
import { messagePage } from '../pages/messagePage.ts';
import { signInPage, type TypedValues } from '../pages/signInPage.ts';
import { personForm, type SimulatedPeople, type SimulatedPerson } from './people.ts';

interface Dependencies {
  provider: Provider;
  people: SimulatedPeople;
}

const submitted = z.object({
  /** Subject of the example person whose button was pressed. */
  person: z.string().optional(),
  action: z.enum(['continue', 'cancel']).optional(),
  name: z.string().default(''),
  email: z.string().default(''),
});

type Choice = { person: SimulatedPerson } | { typed: TypedValues };

function choose(people: SimulatedPeople, body: z.output<typeof submitted>): Choice {
  const example = people.examples.find((person) => person.sub === body.person);
  if (example) return { person: example };
  const parsed = personForm.safeParse(body);
  if (parsed.success) return { person: people.remember(parsed.data.name, parsed.data.email) };
  const { fieldErrors } = z.flattenError(parsed.error);
  const values = { name: body.name, email: body.email };
  return { typed: { ...values, nameError: fieldErrors.name?.[0], emailError: fieldErrors.email?.[0] } };
}

/** Serves the page where users choose their identity. Its address belongs to one sign-in and one browser. */
export function signInRoutes({ provider, people }: Dependencies): Router {
  const router = Router();
  router.use(urlencoded({ extended: false, limit: '10kb' }));

  router.get('/:uid', async (request, response) => {
    const { params } = await provider.interactionDetails(request, response);
    const email = typeof params.login_hint === 'string' ? params.login_hint : '';
    response.send(signInPage({ people: people.examples, typed: { name: '', email } }).text);
  });

  router.post('/:uid', async (request, response) => {
    // The provider finds the sign-in by a cookie that other sites' forms do not carry (SameSite=Lax).
    await provider.interactionDetails(request, response);
    const body = submitted.parse(request.body ?? {});
    if (body.action === 'cancel') {
      const result = { error: 'access_denied', error_description: 'The sign-in was cancelled.' };
      return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    }
    const choice = choose(people, body);
    if ('typed' in choice) {
      response.status(422).send(signInPage({ people: people.examples, typed: choice.typed }).text);
      return undefined;
    }
    const result = { login: { accountId: choice.person.sub }, select_account: {} };
    return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  });

  const onError: ErrorRequestHandler = (error: unknown, _request, response, next) => {
    if (error instanceof errors.SessionNotFound || error instanceof z.ZodError) {
      const text = 'It took too long or was started in another browser. Return to the previous page and try again.';
      response.status(400).send(messagePage('This sign-in cannot continue', text).text);
      return;
    }
    next(error);
  };
  router.use(onError);
  return router;
}
