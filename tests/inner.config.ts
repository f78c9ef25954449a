import { ringConfig } from './ring-config.ts';

export default ringConfig('inner');
