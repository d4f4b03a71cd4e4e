/** `npm run build`. */

import { bundle } from './bundle.ts';

await bundle();
