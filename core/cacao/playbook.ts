/** The playbook as the rest of the product sees it: its types. */

export type {
  Agent,
  AgentTarget,
  AuthenticationInfo,
  Command,
  Playbook,
  StepType,
  Variable,
  Variables,
  WorkflowStep,
} from './model.ts';
export { viewPlaybook } from './model.ts';
