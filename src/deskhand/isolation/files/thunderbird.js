// A mail program that nobody has to greet: no tour, no questions, no bars. It has no account until one is set up.
user_pref("accessibility.force_disabled", -1);
user_pref("app.donation.eoy.version.viewed", 999);
user_pref("app.normandy.enabled", false);
user_pref("app.update.enabled", false);
user_pref("datareporting.healthreport.uploadEnabled", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("datareporting.policy.dataSubmissionPolicyBypassNotification", true);
user_pref("mail.rights.version", 1);
user_pref("mail.shell.checkDefaultClient", false);
user_pref("mail.spotlight.firstRunDone", true);
user_pref("mail.winsearch.firstRunDone", true);
user_pref("mailnews.start_page.enabled", false);
user_pref("toolkit.telemetry.reportingpolicy.firstRun", false);
user_pref("ui.prefersReducedMotion", 1);
