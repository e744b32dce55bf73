import type { Express, RequestHandler } from 'express';
import swaggerUi from 'swagger-ui-express';
import { docsPolicy, securityHeaders } from '../http/securityHeaders.ts';

/** The readable form of the document at `/api/docs`, from files of the package alone. */
export function serveDocs(app: Express, secure: boolean): void {
  const options = {
    customSiteTitle: 'Nolo API',
    swaggerOptions: {
      url: '/api/openapi.json',
      // The badge would send the document's address to a validator elsewhere.
      validatorUrl: null,
      persistAuthorization: false,
      tryItOutEnabled: false,
    },
  };
  const page = swaggerUi.setup(undefined, options);
  // Its files are found relative to the address, which therefore ends in a slash.
  const withSlash: RequestHandler = (request, response, next) => {
    response.locals['route'] = '/api/docs';
    if (request.originalUrl.split('?')[0] === '/api/docs') response.redirect(308, '/api/docs/');
    else next();
  };
  app.use('/api/docs', securityHeaders({ policy: docsPolicy(), secure }), withSlash, swaggerUi.serve, page);
}
