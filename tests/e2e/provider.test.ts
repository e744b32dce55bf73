import { randomUUID } from 'node:crypto';
import { randomPhone, signUpByPhone } from '@nolo/testing';
import { ChatsPage } from './pages/ChatsPage.ts';
import { LandingPage } from './pages/LandingPage.ts';
import { PhoneSignInPage } from './pages/PhoneSignInPage.ts';
import { ProfilePage } from './pages/ProfilePage.ts';
import { SimulatorPage } from './pages/SimulatorPage.ts';
import { Toasts } from './pages/Toasts.ts';
import { newcomer } from './support/cast.ts';
import { journey } from './support/journey.ts';
import { at, see } from './support/see.ts';
import { containing, en } from './support/words.ts';

const { story, visit, url } = journey();

/** An address that no other test has, at a domain that belongs to nobody. */
const mailAddress = () => `ada.${randomUUID().slice(0, 8)}@example.com`;

async function signedInByProvider(email = mailAddress()) {
  const visitor = await visit({ path: '/' });
  await new LandingPage(visitor.page).signIn.click();
  await new SimulatorPage(visitor.page).signInAs('Ada Lovelace', email);
  await see(new ChatsPage(visitor.page).emptyTitle);
  return visitor;
}

story('one signs in through the provider, and signing out ends the session there too', async () => {
  const email = mailAddress();
  const visitor = await signedInByProvider(email);
  const profile = new ProfilePage(visitor.page);
  await visitor.go('/profile');
  await see(visitor.page.getByRole('heading', { name: 'Ada Lovelace' }), visitor.page.getByText(email));

  await profile.logout.click();
  const landing = new LandingPage(visitor.page);
  await see(landing.headline);
  await at(visitor.page, '/');
  // Signed in at the provider, the second time would go through without a question.
  await landing.traditionalSignIn.click();
  await see(new SimulatorPage(visitor.page).heading);
});

story('whoever cancels at the provider is told so on the landing page, and can go on by phone', async () => {
  const visitor = await visit({ path: '/' });
  const landing = new LandingPage(visitor.page);
  await landing.traditionalSignIn.click();
  await new SimulatorPage(visitor.page).cancel.click();
  await see(visitor.page.getByText(en.signInErrors.cancelled), landing.headline);
  await visitor.page.getByRole('button', { name: en.common.dismiss }).click();
  await landing.getStarted.click();
  await see(new PhoneSignInPage(visitor.page).heading);
});

story('a provider account takes a phone number, and both ways lead to the same person', async () => {
  const phone = randomPhone();
  const visitor = await signedInByProvider();
  await visitor.go('/profile');
  const profile = new ProfilePage(visitor.page);
  await profile.linkPhone.click();
  const form = new PhoneSignInPage(visitor.page);
  await form.askForCode(phone);
  await form.code.fill(await form.demoCode());
  await new Toasts(visitor.page).says(en.profile.phoneLinked);
  await see(profile.linkedNumber(phone));

  const onThePhone = await visit({ device: 'phone', path: '/' });
  await (await new LandingPage(onThePhone.page).startWithPhone()).signIn(phone);
  await see(new ChatsPage(onThePhone.page).emptyTitle);
  await onThePhone.go('/profile');
  await see(onThePhone.page.getByRole('heading', { name: 'Ada Lovelace' }));
});

story('a phone account takes a provider', async () => {
  const { user } = await newcomer(url(), 'Ben Botha');
  const visitor = await visit({ as: user, path: '/profile' });
  const profile = new ProfilePage(visitor.page);
  await profile.linkProvider.click();
  await new SimulatorPage(visitor.page).signInAs('Ben Botha', mailAddress());
  await at(visitor.page, '/profile');
  await new Toasts(visitor.page).says(en.profile.providerLinked);
  await see(profile.heading);
  expect(await profile.linkProvider.count()).toBe(0);
});

story('what belongs to another account cannot be linked', async () => {
  const taken = mailAddress();
  const first = await signedInByProvider(taken);

  // A number that somebody else signs in with.
  const other = await signUpByPhone(url(), randomPhone(), 'Cleo Cele');
  await first.go('/profile');
  await new ProfilePage(first.page).linkPhone.click();
  const form = new PhoneSignInPage(first.page);
  await form.askForCode(other.phone);
  await form.code.fill(await form.demoCode());
  await see(first.page.getByRole('dialog').getByText(containing(en.refusals.phone_taken)));

  // A provider account that somebody else signs in with.
  const { user } = await newcomer(url(), 'Ben Botha');
  const visitor = await visit({ as: user, path: '/profile' });
  await new ProfilePage(visitor.page).linkProvider.click();
  await new SimulatorPage(visitor.page).signInAs('Ben Botha', taken);
  await new Toasts(visitor.page).says(en.profile.linkFailed, en.profile.linkErrors.provider_taken);
  await at(visitor.page, '/profile');
  await see(new ProfilePage(visitor.page).linkProvider);
});
