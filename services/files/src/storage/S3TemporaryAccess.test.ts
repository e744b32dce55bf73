import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Secret } from '@nolo/kit/config';
import { S3Driver } from './S3Driver.ts';
import { S3TemporaryAccess } from './S3TemporaryAccess.ts';

/* Tests requests to STS and the handling of its replies. s3Credentials tests that servers enforce them. */

const answer = { status: 200, body: '' };
let requestParameters = new URLSearchParams();
const sts = createServer((request, response) => {
  void text(request).then((body) => {
    requestParameters = new URLSearchParams(body);
    response.writeHead(answer.status, { 'content-type': 'text/xml' }).end(answer.body);
  });
});
const credentials = `<Credentials><AccessKeyId>AKIA</AccessKeyId><SecretAccessKey>hush</SecretAccessKey>
  <SessionToken>token</SessionToken><Expiration>2026-11-22T12:15:00Z</Expiration></Credentials>`;
const given = (inner: string) => `<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <AssumeRoleResult>${inner}</AssumeRoleResult></AssumeRoleResponse>`;

class CarefulDriver extends S3Driver {
  keeps = false;
  override async keepsBrokenParts(): Promise<boolean> {
    return Promise.resolve(this.keeps);
  }
}

let driver: CarefulDriver;
const accessFor = (roleArn: string) => {
  const endpoint = `http://127.0.0.1:${(sts.address() as AddressInfo).port}`;
  const options = {
    bucket: 'nolo-files',
    region: 'eu-central-1',
    endpoint,
    publicEndpoint: undefined,
    accessKeyId: 'ours',
    secretAccessKey: new Secret('ours and secret'),
    pathStyle: true,
  };
  driver = new CarefulDriver(options);
  return new S3TemporaryAccess(driver, options, { roleArn, endpoint });
};

beforeAll(async () => {
  sts.listen(0, '127.0.0.1');
  await once(sts, 'listening');
});
afterAll(() => {
  sts.closeAllConnections();
  sts.close();
});
afterEach(() => driver.close());

test.each([
  ['arn:aws:iam::123456789012:role/uploads', 'aws'],
  ['arn:aws-cn:iam::123456789012:role/uploads', 'aws-cn'],
  ['any role a server accepts', 'aws'],
])('%s gets access to one upload prefix only', async (roleArn, partition) => {
  Object.assign(answer, { status: 200, body: given(credentials) });
  const access = accessFor(roleArn);
  await expect(access.credentialsFor('incoming/one-of-us/')).resolves.toEqual({
    accessKeyId: 'AKIA',
    secretAccessKey: 'hush',
    sessionToken: 'token',
    expiresAt: new Date('2026-11-22T12:15:00Z'),
    bucket: 'nolo-files',
    region: 'eu-central-1',
  });
  expect(Object.fromEntries(requestParameters)).toMatchObject({
    Action: 'AssumeRole',
    RoleArn: roleArn,
    RoleSessionName: 'nolo-one-of-us',
    DurationSeconds: '900',
  });
  expect(JSON.parse(requestParameters.get('Policy') ?? '')).toEqual({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
        Resource: [`arn:${partition}:s3:::nolo-files/incoming/one-of-us/*`],
      },
    ],
  });
  access.close();
});

const refused = `<ErrorResponse><Error><Code>AccessDenied</Code><Message>User ours may not assume role uploads</Message>
  </Error></ErrorResponse>`;

test.each([
  ['refuses', 403, refused],
  ['fails', 500, 'no XML at all'],
  ['answers without credentials', 200, given('')],
])('reports a temporary failure without its reason if STS %s', async (_, status, body) => {
  Object.assign(answer, { status, body });
  const access = accessFor('arn:aws:iam::123456789012:role/uploads');
  const failed = access.credentialsFor('incoming/one-of-us/');
  await expect(failed).rejects.toMatchObject({
    kind: 'unavailable',
    code: 'storage_unavailable',
    message: 'Files cannot be reached right now.',
  });
  access.close();
});

test('a storage that keeps interrupted uploads gives access to nobody', async () => {
  Object.assign(answer, { status: 200, body: given(credentials) });
  const access = accessFor('arn:aws:iam::123456789012:role/uploads');
  driver.keeps = true;
  await expect(access.credentialsFor('incoming/one-of-us/')).resolves.toBeUndefined();
  access.close();
});
