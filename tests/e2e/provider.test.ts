import { randomUUID } from 'node:crypto';
import { randomPhone } from '@nolo/testing';
import { ChatsPage } from './pages/ChatsPage.ts';
import { LandingPage } from './pages/LandingPage.ts';
import { PhoneSignInPage } from './pages/PhoneSignInPage.ts';
import { ProfilePage } from './pages/ProfilePage.ts';
import { ProviderSignInPage } from './pages/ProviderSignInPage.ts';
import { Toasts } from './pages/Toasts.ts';
import { createCastMember } from './support/cast.ts';
import { setUpJourney } from './support/journey.ts';
import { waitForPath, waitUntilVisible } from './support/waitFor.ts';
import { en } from './support/words.ts';

const { story, openPage, url } = setUpJourney();

/** Email address that no other test has, in a domain that belongs to nobody. */
const mailAddress = () => `ada.${randomUUID().slice(0, 8)}@example.com`;

story('signing in through the provider can be cancelled, and signing out ends the session there too', async () => {
  const email = mailAddress();
  const visitor = await openPage({ path: '/' });
  const landing = new LandingPage(visitor.page);
  const simulator = new ProviderSignInPage(visitor.page);
  await landing.traditionalSignIn.click();
  await simulator.cancel.click();
  // The page reports it and offers the alternative.
  await waitUntilVisible(visitor.page.getByText(en.signInErrors.cancelled), landing.headline, landing.getStarted);
  await visitor.page.getByRole('button', { name: en.common.dismiss }).click();
  await landing.signIn.click();
  await simulator.signInAs('Ada Lovelace', email);
  await waitUntilVisible(new ChatsPage(visitor.page).emptyTitle);
  await visitor.go('/profile');
  await waitUntilVisible(visitor.page.getByRole('heading', { name: 'Ada Lovelace' }), visitor.page.getByText(email));

  // An account of a provider accepts a phone number.
  const phone = randomPhone();
  const profile = new ProfilePage(visitor.page);
  await profile.linkPhone.click();
  const form = new PhoneSignInPage(visitor.page);
  await form.requestCode(phone);
  await form.code.fill(await form.demoCode());
  await new Toasts(visitor.page).expectShown(en.profile.phoneLinked);
  await waitUntilVisible(profile.linkedNumber(phone));

  await profile.logout.click();
  await profile.confirm().click();
  await waitUntilVisible(landing.headline);
  await waitForPath(visitor.page, '/');
  // The user is signed in at the provider, so the second sign-in would need no question.
  await landing.traditionalSignIn.click();
  await waitUntilVisible(simulator.heading);
});

story('a phone account adds a provider', async () => {
  const { user } = await createCastMember(url(), 'Ben Botha');
  const visitor = await openPage({ as: user, path: '/profile' });
  const profile = new ProfilePage(visitor.page);
  await profile.linkProvider.click();
  await new ProviderSignInPage(visitor.page).signInAs('Ben Botha', mailAddress());
  await waitForPath(visitor.page, '/profile');
  await new Toasts(visitor.page).expectShown(en.profile.providerLinked);
  await waitUntilVisible(profile.heading);
  expect(await profile.linkProvider.count()).toBe(0);
});
