import type { Dictionary } from './dictionary.ts';

/**
 * The language is Modern Standard Arabic. An app is تطبيق, access وصول, a booking حجز, an event
 * type نوع الموعد, a host المضيف, an attendee المشارك, a passkey مفتاح مرور.
 */
export const arabic = {
  // The frame of all pages:
  'Skip to content': 'الانتقال إلى المحتوى',
  'Error:': 'خطأ:',
  'API documentation': 'وثائق واجهة API',
  Language: 'اللغة',
  'Change language': 'تغيير اللغة',
  'Browser’s language': 'لغة المتصفح',
  Main: 'الرئيسية',
  Menu: 'القائمة',
  Account: 'الحساب',
  Docs: 'الوثائق',
  'Sign in': 'تسجيل الدخول',
  'Sign out': 'تسجيل الخروج',
  'Sign out of {service}?': 'هل تريد تسجيل الخروج من {service}؟',
  '{app} asks you to sign out of {service}, too.': 'يطلب منك {app} تسجيل الخروج من {service} أيضًا.',
  'This ends your session in this browser. Apps keep the access that you approved.':
    'تنتهي بهذا جلستك في هذا المتصفح. وتحتفظ التطبيقات بالوصول الذي وافقت عليه.',
  'Stay signed in': 'البقاء مسجّل الدخول',
  'You’re signed out': 'تم تسجيل خروجك',
  'You can close this page.': 'يمكنك إغلاق هذه الصفحة.',
  waiting: 'في الانتظار',
  'Go to home': 'الانتقال إلى الصفحة الرئيسية',
  Settings: 'الإعدادات',
  'All settings': 'كل الإعدادات',
  Admin: 'الإدارة',
  Profile: 'الملف الشخصي',
  Sessions: 'الجلسات',
  'Account activity': 'نشاط الحساب',
  'Your data': 'بياناتك',
  People: 'الأشخاص',
  Teams: 'الفِرق',
  Organization: 'المؤسسة',
  Overview: 'نظرة عامة',
  Accounts: 'الحسابات',
  'Audit log': 'سجل التدقيق',
  'Outgoing email': 'البريد الصادر',
  Apps: 'التطبيقات',
  Developer: 'المطوّرون',
  'Connected apps': 'التطبيقات المتصلة',
  'Your apps': 'تطبيقاتك',
  Review: 'المراجعة',
  Security: 'الأمان',
  'Personal tokens': 'الرموز الشخصية',
  Scheduling: 'الجدولة',
  Bookings: 'الحجوزات',
  'Event types': 'أنواع المواعيد',
  Schedules: 'الجداول',
  Availability: 'أوقات التوفر',
  Calendars: 'التقويمات',
  Webhooks: 'خطافات الويب',
  // Sign-in and sign-up:
  'Email address': 'البريد الإلكتروني',
  Password: 'كلمة المرور',
  Name: 'الاسم',
  'Sign in with a passkey': 'تسجيل الدخول بمفتاح مرور',
  'Forgot your password?': 'هل نسيت كلمة المرور؟',
  'New here?': 'هل أنت جديد هنا؟',
  'Create an account': 'إنشاء حساب',
  'Create account': 'إنشاء الحساب',
  'Already have an account?': 'هل لديك حساب بالفعل؟',
  'The first account administers this installation: create yours now.':
    'الحساب الأول هو الذي يدير هذا التثبيت: أنشئ حسابك الآن.',
  'Sign-ups are closed. Ask your administrator for an account.': 'التسجيل مغلق. اطلب حسابًا من المسؤول.',
  'At least 10 characters. A few random words work well.': '10 أحرف على الأقل. بضع كلمات عشوائية خيار جيد.',
  'Sign in to continue to {app}': 'سجّل الدخول للمتابعة إلى {app}',
  'Create an account to continue to {app}': 'أنشئ حسابًا للمتابعة إلى {app}',
  'Enter your password to continue to {app}': 'أدخل كلمة المرور للمتابعة إلى {app}',
  'Reset your password to continue to {app}': 'أعد تعيين كلمة المرور للمتابعة إلى {app}',
  'Sign in to continue to the app.': 'سجّل الدخول للمتابعة إلى التطبيق.',
  'Create an account to continue to the app.': 'أنشئ حسابًا للمتابعة إلى التطبيق.',
  'Enter your password to continue to the app.': 'أدخل كلمة المرور للمتابعة إلى التطبيق.',
  'Reset your password to continue to the app.': 'أعد تعيين كلمة المرور للمتابعة إلى التطبيق.',
  'Sign in to continue.': 'سجّل الدخول للمتابعة.',
  'Create an account to continue.': 'أنشئ حسابًا للمتابعة.',
  'Enter your password to continue.': 'أدخل كلمة المرور للمتابعة.',
  'Reset your password to continue.': 'أعد تعيين كلمة المرور للمتابعة.',
  'Sign in to answer your invitation.': 'سجّل الدخول للرد على الدعوة.',
  'Create an account to answer your invitation.': 'أنشئ حسابًا للرد على الدعوة.',
  'Enter your password to answer your invitation.': 'أدخل كلمة المرور للرد على الدعوة.',
  'Reset your password to answer your invitation.': 'أعد تعيين كلمة المرور للرد على الدعوة.',
  'You’re signed in': 'تم تسجيل دخولك',
  Continue: 'متابعة',
  'Your account is suspended': 'حسابك معلّق',
  'An admin suspended it for this reason:': 'علّقه أحد المسؤولين لهذا السبب:',
  'You can’t sign in, and your apps and public pages don’t work. If you think this is a mistake, contact the people who run this service.':
    'لا يمكنك تسجيل الدخول، ولا تعمل تطبيقاتك وصفحاتك العامة. إذا كنت تعتقد أن هذا خطأ، فتواصل مع القائمين على هذه الخدمة.',
  'Incorrect email or password.': 'البريد الإلكتروني أو كلمة المرور غير صحيحة.',
  'Incorrect password.': 'كلمة المرور غير صحيحة.',
  'Too many failed sign-ins.': 'عدد كبير جدًا من محاولات تسجيل الدخول الفاشلة.',
  'If you can’t wait, reset your password.': 'إذا لم يكن بإمكانك الانتظار، فأعد تعيين كلمة المرور.',
  'Try again in a minute.': 'حاول مرة أخرى بعد دقيقة.',
  'Try again in {minutes} {minutes|minute|minutes}.': {
    one: 'حاول مرة أخرى بعد دقيقة.',
    two: 'حاول مرة أخرى بعد دقيقتين.',
    few: 'حاول مرة أخرى بعد {minutes} دقائق.',
    other: 'حاول مرة أخرى بعد {minutes} دقيقة.',
  },
  'An account with this email already exists. Sign in instead.':
    'يوجد حساب بهذا البريد الإلكتروني بالفعل. سجّل الدخول بدلًا من ذلك.',
  'This password is easy to guess. Use a few unrelated words, and not your email or username.':
    'من السهل تخمين كلمة المرور هذه. استخدم بضع كلمات لا رابط بينها، ولا تستخدم بريدك الإلكتروني أو اسم المستخدم.',
  'Your browser didn’t keep the cookie that signs you in. Allow cookies for this site, then sign in again.':
    'لم يحتفظ متصفحك بملف تعريف الارتباط اللازم لتسجيل دخولك. اسمح بملفات تعريف الارتباط لهذا الموقع، ثم سجّل الدخول مرة أخرى.',
  'You were signed out, so this form wasn’t saved. Fill it in again.':
    'تم تسجيل خروجك، لذا لم يُحفظ هذا النموذج. املأه مرة أخرى.',
  'What you typed is kept, and sent once you’ve confirmed.': 'ما كتبته محفوظ، وسيُرسَل بمجرد أن تؤكد هويتك.',
  'You were signed out. What you typed is kept, and sent once you’ve signed in.':
    'تم تسجيل خروجك. ما كتبته محفوظ، وسيُرسَل بمجرد تسجيل دخولك.',
  'You are in these teams and organizations. If you don’t know one, leave it once you’re signed in: someone else may have joined it for you.':
    'أنت عضو في هذه الفرق والمؤسسات. إذا لم تعرف أيًا منها فغادرها بعد تسجيل دخولك: ربما انضم إليها شخص آخر باسمك.',
  'You confirmed it’s you. Nothing was changed yet, so send this form again.':
    'لقد أكدت هويتك. لم يتغير شيء بعد، لذا أرسل هذا النموذج مرة أخرى.',
  // Forgotten passwords:
  'We’ll email you a link to choose a new one.':
    'سنرسل إليك بالبريد الإلكتروني رابطًا لاختيار كلمة مرور جديدة.',
  'Email me a link': 'إرسال رابط إليّ',
  'No mail server is set up here, so we can’t send you a link. Ask your administrator.':
    'لم يُعَدّ خادم بريد هنا، لذا لا يمكننا إرسال رابط إليك. اسأل المسؤول.',
  'Back to sign in': 'العودة إلى تسجيل الدخول',
  'Check your email': 'تحقق من بريدك الإلكتروني',
  'Email isn’t set up': 'البريد الإلكتروني غير مُعَدّ',
  'If there’s an account with this email address, we’ve sent it a link. The link works for 30 minutes.':
    'إذا كان هناك حساب بهذا البريد الإلكتروني، فقد أرسلنا إليه رابطًا. يعمل الرابط لمدة 30 دقيقة.',
  'Nothing there after a few minutes? Look in your spam folder, or check the address and [try again]. You can request up to three emails every 30 minutes.':
    'لم يصل شيء بعد بضع دقائق؟ ابحث في مجلد الرسائل غير المرغوب فيها، أو تحقق من العنوان و[حاول مرة أخرى]. يمكنك طلب ما يصل إلى ثلاث رسائل كل 30 دقيقة.',
  'Choose a new password': 'اختيار كلمة مرور جديدة',
  'For the account {email}. You’ll be signed out everywhere else.':
    'للحساب {email}. سيتم تسجيل خروجك من كل مكان آخر.',
  'New password': 'كلمة المرور الجديدة',
  'Keep what’s in this account': 'الاحتفاظ بمحتوى هذا الحساب',
  'Keep {things}': 'الاحتفاظ بما يلي: {things}',
  'Otherwise {consequences}. Select this only if no one else may have used your account.':
    'إذا لم تحدّد هذا الخيار، فستكون النتيجة: {consequences}. لا تحدّده إلا إذا كنت متأكدًا من أن أحدًا غيرك لم يستخدم حسابك.',
  'Someone else may have signed up with your address. Otherwise {things} end. Select this only if you created the account yourself.':
    'ربما سجّل شخص آخر بعنوانك. إذا لم تحدّد هذا الخيار، فسينتهي ما يلي: {things}. لا تحدّده إلا إذا كنت قد أنشأت الحساب بنفسك.',
  'Set new password': 'تعيين كلمة المرور الجديدة',
  apps: 'التطبيقات',
  webhooks: 'خطافات الويب',
  'personal tokens': 'الرموز الشخصية',
  'the chosen calendar': 'التقويم المختار',
  calendars: 'التقويمات',
  teams: 'الفِرق',
  'connected apps, the account’s own apps': 'التطبيقات المتصلة والتطبيقات الخاصة بالحساب',
  'open invitations of owners and admins are withdrawn': 'تُسحب الدعوات المفتوحة لضم مالكين ومسؤولين',
  'every app loses its access and needs your permission again': 'يفقد كل تطبيق وصوله ويحتاج إلى إذنك من جديد',
  'your personal tokens end': 'تنتهي رموزك الشخصية',
  'webhooks are turned off': 'تُعطَّل خطافات الويب',
  'bookings are no longer written to a calendar': 'لا تُكتب الحجوزات في أي تقويم بعد ذلك',
  'This link doesn’t work': 'هذا الرابط لا يعمل',
  'This link has expired or was already used.': 'انتهت صلاحية هذا الرابط أو استُخدم من قبل.',
  'Request a new link': 'طلب رابط جديد',
  // Verification:
  'Verify your email to continue': 'أكّد بريدك الإلكتروني للمتابعة',
  'We need to know that {email} is your address. Open the link that we emailed to you when you signed up, or get a new one. Then you come back to this step.':
    'نحتاج إلى التأكد من أن {email} هو عنوانك. افتح الرابط الذي أرسلناه إليك عند التسجيل، أو اطلب رابطًا جديدًا. ثم ستعود إلى هذه الخطوة.',
  'Not your address?': 'أليس هذا عنوانك؟',
  'Change email address': 'تغيير البريد الإلكتروني',
  'Verify email address': 'تأكيد البريد الإلكتروني',
  'Change your email address': 'تغيير بريدك الإلكتروني',
  'Verify your email address': 'تأكيد بريدك الإلكتروني',
  'Send new link': 'إرسال رابط جديد',
  'We’ve sent a link to {email}. Open it in this browser to verify your address. It works once, for 24 hours.':
    'أرسلنا رابطًا إلى {email}. افتحه في هذا المتصفح لتأكيد عنوانك. يعمل مرة واحدة خلال 24 ساعة.',
  'Nothing there after a few minutes? Look in your spam folder, or get a new link.':
    'لم يصل شيء بعد بضع دقائق؟ ابحث في مجلد الرسائل غير المرغوب فيها، أو اطلب رابطًا جديدًا.',
  'We’ve sent you an email. Open its link in this browser to verify your address and sign in. It works once, for 24 hours.':
    'أرسلنا إليك رسالة. افتح الرابط الذي فيها في هذا المتصفح لتأكيد عنوانك وتسجيل الدخول. يعمل مرة واحدة خلال 24 ساعة.',
  'Nothing there after a few minutes? Look in your spam folder, or sign in to get a new link.':
    'لم يصل شيء بعد بضع دقائق؟ ابحث في مجلد الرسائل غير المرغوب فيها، أو سجّل الدخول للحصول على رابط جديد.',
  'Your account will use {email}. You sign in with this address from then on.':
    'سيستخدم حسابك {email}. وستسجّل الدخول بهذا العنوان من ذلك الحين فصاعدًا.',
  'You use {email} for your account.': 'يستخدم حسابك {email}.',
  'This link isn’t for the account of {email}. Sign out, and sign in with the account that asked for the link.':
    'هذا الرابط ليس لحساب {email}. سجّل الخروج، ثم سجّل الدخول بالحساب الذي طلب الرابط.',
  'Sign in with your current address to change it to {email}.':
    'سجّل الدخول بعنوانك الحالي لتغييره إلى {email}.',
  'If you didn’t ask for this, close this page: nothing is changed.':
    'إذا لم تطلب ذلك، فأغلق هذه الصفحة: لن يتغير شيء.',
  'Sign in to verify {email}. That way nobody else can set up an account with your address.':
    'سجّل الدخول لتأكيد {email}. وبذلك لا يستطيع أحد غيرك إعداد حساب بعنوانك.',
  'If you don’t know the password, [reset it]: this verifies your address, too. If you didn’t sign up, close this page: without you, the account can’t do anything.':
    'إذا كنت لا تعرف كلمة المرور، [فأعد تعيينها]: هذا يؤكد عنوانك أيضًا. وإذا لم تسجّل، فأغلق هذه الصفحة: لا يستطيع الحساب فعل شيء من دونك.',
  'This link has expired, was already used, or was replaced by a newer one.':
    'انتهت صلاحية هذا الرابط، أو استُخدم من قبل، أو حلّ محله رابط أحدث.',
  'Go to your profile': 'الانتقال إلى ملفك الشخصي',
  // Confirmation and passkeys:
  'Confirm it’s you': 'تأكيد هويتك',
  'You signed in a while ago. Before you {act}, enter your password again.':
    'سجّلت الدخول منذ فترة. للمتابعة، أدخل كلمة المرور مرة أخرى ({act}).',
  Confirm: 'تأكيد',
  'Use your passkey instead': 'استخدام مفتاح المرور بدلًا من ذلك',
  'make a sensitive change': 'إجراء تغيير حساس',
  'give {app} full access to your account': 'منح {app} وصولًا كاملًا إلى حسابك',
  'give {app} access to your account': 'منح {app} وصولًا إلى حسابك',
  'change your email address': 'تغيير بريدك الإلكتروني',
  'change your password': 'تغيير كلمة المرور',
  'download your data': 'تنزيل بياناتك',
  'delete your account': 'حذف حسابك',
  'delete an app': 'حذف تطبيق',
  'add a client secret': 'إضافة سر عميل',
  'change how you sign in': 'تغيير طريقة تسجيل دخولك',
  'create a personal token': 'إنشاء رمز شخصي',
  'Use your passkey': 'استخدام مفتاح المرور',
  'Use passkey': 'استخدام مفتاح المرور',
  'Passkeys need JavaScript and a browser that supports them.':
    'تحتاج مفاتيح المرور إلى JavaScript ومتصفح يدعمها.',
  'Your browser didn’t use a passkey. Try again.': 'لم يستخدم متصفحك مفتاح مرور. حاول مرة أخرى.',
  'Your password is right. Confirm with one of your passkeys.':
    'كلمة المرور صحيحة. أكّد بأحد مفاتيح المرور لديك.',
  'Your browser shows the passkeys you have for {service}.':
    'يعرض متصفحك مفاتيح المرور التي لديك لخدمة {service}.',
  'No passkey at hand?': 'ليس لديك مفتاح مرور الآن؟',
  'Recovery code': 'رمز الاسترداد',
  'You saved 10 of them when you added your first passkey.': 'حفظت 10 رموز عندما أضفت أول مفتاح مرور.',
  'Use recovery code': 'استخدام رمز الاسترداد',
  'Start over': 'البدء من جديد',
  'Use your password instead': 'استخدام كلمة المرور بدلًا من ذلك',
  'Enter a recovery code.': 'أدخل رمز استرداد.',
  'This recovery code is wrong, or was used before.': 'رمز الاسترداد هذا خاطئ أو استُخدم من قبل.',
  'Your browser didn’t send a passkey. Try again.': 'لم يرسل متصفحك مفتاح مرور. حاول مرة أخرى.',
  'This passkey didn’t work. Try again, or use another one.':
    'لم يعمل مفتاح المرور هذا. حاول مرة أخرى أو استخدم مفتاحًا آخر.',
  'Your password alone doesn’t sign you in': 'كلمة المرور وحدها لا تكفي لتسجيل الدخول',
  'Your account has a passkey, and this service has turned passkeys off. Ask the people who run it to turn them on again, or to remove your passkeys.':
    'لحسابك مفتاح مرور، وقد عطّلت هذه الخدمة مفاتيح المرور. اطلب من القائمين عليها تفعيلها من جديد أو إزالة مفاتيح المرور لديك.',
  // The frame of all emails:
  'You get this email because of your {app} account. If you didn’t expect it, sign in and look at your settings.':
    'تصلك هذه الرسالة بسبب حسابك في {app}. إذا لم تكن تتوقعها، فسجّل الدخول وراجع إعداداتك.',
  'Or open': 'أو افتح',
  // Booking pages:
  '{hours} {hours|hour|hours}': {
    one: 'ساعة',
    two: 'ساعتان',
    few: '{hours} ساعات',
    many: '{hours} ساعة',
    other: '{hours} ساعة',
  },
  '{minutes} {minutes|minute|minutes}': {
    one: 'دقيقة',
    two: 'دقيقتان',
    few: '{minutes} دقائق',
    many: '{minutes} دقيقة',
    other: '{minutes} دقيقة',
  },
  '{hours} {minutes}': '{hours} و{minutes}',
  '{kind}: {place}': '{kind}: {place}',
  '{label} (optional)': '{label} (اختياري)',
  '{event} with {names}': '{event} مع {names}',
  '{event} between {hosts} and {attendee}': 'موعد «{event}» بين {hosts} و{attendee}',
  'one of {names}': 'أحد هؤلاء: {names}',
  '{count} {count|other|others}': {
    one: 'شخص آخر',
    two: 'شخصان آخران',
    few: '{count} أشخاص آخرين',
    many: '{count} شخصًا آخر',
    other: '{count} شخص آخر',
  },
  'The host confirms each booking': 'يؤكد المضيف كل حجز',
  'The host will tell you where': 'سيخبرك المضيف بالمكان',
  'Book {name}': 'احجز موعدًا مع {name}',
  'Choose an event type and a time that suits you.': 'اختر نوع الموعد والوقت الذي يناسبك.',
  'Choose an event type to book.': 'اختر نوع الموعد الذي تريد حجزه.',
  Length: 'المدة',
  'No event types yet': 'لا توجد أنواع مواعيد بعد',
  'People can book {team} here once it has an event type. Until then, only members see this page.':
    'يمكن الحجز مع {team} هنا بعد إضافة نوع موعد. وحتى ذلك الحين، لا يرى هذه الصفحة إلا الأعضاء.',
  'Create event type': 'إنشاء نوع موعد',
  'View team': 'عرض الفريق',
  'Event type not found': 'نوع الموعد غير موجود',
  'The link may be wrong, or its host removed this event type.':
    'قد يكون الرابط خاطئًا، أو أزال المضيف نوع الموعد هذا.',
  'See what {name} offers': 'عرض ما يقدّمه {name}',
  'Time zone': 'المنطقة الزمنية',
  'Change time zone': 'تغيير المنطقة الزمنية',
  Months: 'الأشهر',
  'Days with available times in {month}': 'الأيام التي تتوفر فيها أوقات في {month}',
  today: 'اليوم',
  '{count} {count|time|times}': {
    zero: 'لا أوقات',
    one: 'وقت واحد',
    two: 'وقتان',
    few: '{count} أوقات',
    many: '{count} وقتًا',
    other: '{count} وقت',
  },
  'No times are available.': 'لا تتوفر أي أوقات.',
  'We can’t load available times right now. Try again in a few minutes.':
    'يتعذّر تحميل الأوقات المتاحة الآن. حاول مرة أخرى بعد بضع دقائق.',
  'The host’s calendar can’t be read, so nobody can book at the moment. We’ve told the host.':
    'لا يمكن قراءة تقويم المضيف، لذلك لا يمكن لأحد الحجز حاليًا. لقد أبلغنا المضيف.',
  'Try again': 'إعادة المحاولة',
  'No times available in {month}.': 'لا تتوفر أوقات في {month}.',
  'View {month}': 'عرض {month}',
  'Later months can’t be booked yet.': 'لا يمكن الحجز في الأشهر التالية بعد.',
  'No times available on this day. Choose another one.': 'لا تتوفر أوقات في هذا اليوم. اختر يومًا آخر.',
  Times: 'الأوقات',
  'Choose a day to see available times.': 'اختر يومًا لعرض الأوقات المتاحة.',
  'No times this month.': 'لا أوقات في هذا الشهر.',
  'We don’t know that time zone. Times are shown in {zone}.':
    'لا نعرف هذه المنطقة الزمنية. تُعرض الأوقات بتوقيت {zone}.',
  'That day can’t be booked. Choose another one.': 'لا يمكن الحجز في ذلك اليوم. اختر يومًا آخر.',
  'Choose another time': 'اختيار وقت آخر',
  'Choose another day': 'اختيار يوم آخر',
  'Other times on this day': 'أوقات أخرى في هذا اليوم',
  'No other times on this day.': 'لا توجد أوقات أخرى في هذا اليوم.',
  'Book this time': 'حجز هذا الوقت',
  'Request this time': 'طلب هذا الوقت',
  'We’ll send your confirmation and a link to reschedule or cancel.':
    'سنرسل إليك التأكيد ورابطًا لتغيير الموعد أو إلغائه.',
  'Visible to the host. This server can’t send email.': 'يظهر للمضيف. لا يستطيع هذا الخادم إرسال البريد.',
  'Visible to the host.': 'يظهر للمضيف.',
  'Notes (optional)': 'ملاحظات (اختياري)',
  'Guests (optional)': 'الضيوف (اختياري)',
  'Reason (optional)': 'السبب (اختياري)',
  'Email addresses, one per line.': 'عناوين البريد الإلكتروني، عنوان في كل سطر.',
  'Email addresses, one per line, up to 10.': 'عناوين البريد الإلكتروني، عنوان في كل سطر، حتى 10 عناوين.',
  'Email addresses, one per line, up to 10. Guests are notified.':
    'عناوين البريد الإلكتروني، عنوان في كل سطر، حتى 10 عناوين. يُبلَّغ الضيوف.',
  Where: 'المكان',
  'Where: {place}': 'المكان: {place}',
  'Choose where.': 'اختر المكان.',
  'In person': 'حضوريًا',
  Online: 'عبر الإنترنت',
  'Phone call': 'مكالمة هاتفية',
  'At your address': 'في عنوانك',
  'Phone call to your number': 'مكالمة هاتفية إلى رقمك',
  'At a place you choose': 'في مكان تختاره',
  'Your address': 'عنوانك',
  'Your phone number': 'رقم هاتفك',
  Place: 'المكان',
  'Your address, phone number or place': 'عنوانك أو رقم هاتفك أو المكان',
  'Needed for: {places}.': 'مطلوب من أجل: {places}.',
  'Enter your address.': 'أدخل عنوانك.',
  'Enter a phone number such as +49 30 123456.': 'أدخل رقم هاتف مثل ‎+49 30 123456‎.',
  'Enter a place.': 'أدخل مكانًا.',
  'Choose…': 'اختر…',
  Yes: 'نعم',
  'Too many bookings from your network. Try again in a minute.':
    'عدد كبير جدًا من الحجوزات من شبكتك. حاول مرة أخرى بعد دقيقة.',
  'We can’t check available times right now. Try again in a minute.':
    'يتعذّر التحقق من الأوقات المتاحة الآن. حاول مرة أخرى بعد دقيقة.',
  'This host can’t take more bookings today. Try again tomorrow.':
    'لا يمكن لهذا المضيف قبول مزيد من الحجوزات اليوم. حاول مرة أخرى غدًا.',
  'This time is no longer available. Choose another one.': 'لم يعد هذا الوقت متاحًا. اختر وقتًا آخر.',
  'This time is no longer available. Choose another one. If you just booked it, you’re all set.':
    'لم يعد هذا الوقت متاحًا. اختر وقتًا آخر. إذا كنت قد حجزته للتو، فحجزك مكتمل.',
  'You already made a booking with this form. To make another one, choose another time.':
    'لقد حجزت بهذا النموذج من قبل. لإجراء حجز آخر، اختر وقتًا آخر.',
  Booked: 'محجوز',
  Pending: 'قيد الانتظار',
  Past: 'منتهٍ',
  Rescheduled: 'تغيّر الموعد',
  Cancelled: 'ملغى',
  Declined: 'مرفوض',
  'You’re booked.': 'تم حجز موعدك.',
  'The host still has to confirm this booking.': 'لم يؤكد المضيف هذا الحجز بعد.',
  'This booking is over and can’t be changed.': 'انتهى هذا الحجز ولا يمكن تغييره.',
  'This booking was never confirmed, and its time is over.': 'لم يُؤكَّد هذا الحجز قط، وقد انقضى وقته.',
  'This booking was rescheduled.': 'تم تغيير موعد هذا الحجز.',
  'This booking was cancelled.': 'تم إلغاء هذا الحجز.',
  'The host declined this booking.': 'رفض المضيف هذا الحجز.',
  With: 'مع',
  Join: 'انضمام',
  'Booked by': 'صاحب الحجز',
  Guests: 'الضيوف',
  Notes: 'الملاحظات',
  Reason: 'السبب',
  'Reason for rescheduling': 'سبب تغيير الموعد',
  'Rescheduled from {time}.': 'كان الموعد السابق: {time}.',
  'New time:': 'الموعد الجديد:',
  'Add to calendar:': 'إضافة إلى التقويم:',
  '.ics file': 'ملف ics',
  'We sent a confirmation to {email}. Use the link in it to come back to this page.':
    'أرسلنا تأكيدًا إلى {email}. استخدم الرابط الذي فيه للعودة إلى هذه الصفحة.',
  'We sent the details to {email}. Use the link in it to come back to this page.':
    'أرسلنا التفاصيل إلى {email}. استخدم الرابط الذي في الرسالة للعودة إلى هذه الصفحة.',
  'This server can’t send email. Save the address of this page to come back.':
    'لا يستطيع هذا الخادم إرسال البريد. احفظ عنوان هذه الصفحة للعودة إليها.',
  Reschedule: 'تغيير الموعد',
  'Cancel booking': 'إلغاء الحجز',
  'Keep booking': 'الإبقاء على الحجز',
  'Book another time': 'حجز وقت آخر',
  'Join the meeting': 'الانضمام إلى الاجتماع',
  'Link set by': 'صاحب الرابط',
  'Leads to': 'يؤدي إلى',
  'That site isn’t part of {app}. Never enter your {app} password there.':
    'هذا الموقع ليس جزءًا من {app}. لا تُدخل فيه كلمة مرور {app} أبدًا.',
  'Continue to {host}': 'المتابعة إلى {host}',
  'This meeting doesn’t take place': 'لن يُعقد هذا الاجتماع',
  'It’s over, or it was cancelled or rescheduled. A newer email has the new time and link.':
    'لقد انتهى، أو أُلغي، أو تغيّر موعده. تجد الموعد الجديد والرابط في رسالة أحدث.',
  'Cancel this booking?': 'هل تريد إلغاء هذا الحجز؟',
  'All attendees will be notified and the time reopens.': 'سيُبلَّغ جميع المشاركين، ويصبح الوقت متاحًا من جديد.',
  'The time reopens. This server can’t send email, so nobody is notified.':
    'يصبح الوقت متاحًا من جديد. لا يستطيع هذا الخادم إرسال البريد، لذا لن يُبلَّغ أحد.',
  'Reschedule: {title}': 'تغيير الموعد: {title}',
  'Reschedule booking': 'تغيير موعد الحجز',
  'Your booking': 'حجزك',
  'Choose a new time': 'اختيار موعد جديد',
  'Currently {time}': 'الموعد الحالي: {time}',
  '{title}, currently {time}': '{title}، الموعد الحالي: {time}',
  'Reschedule to this time?': 'هل تريد نقل الحجز إلى هذا الموعد؟',
  'The host has to confirm the new time. The current time is released immediately.':
    'يجب أن يؤكد المضيف الموعد الجديد. ويُتاح الموعد الحالي لغيرك فورًا.',
  'Keep current time': 'الإبقاء على الموعد الحالي',
  'Enter a name without web addresses.': 'أدخل اسمًا لا يحتوي على عناوين ويب.',
  'Enter text.': 'أدخل نصًا.',
  'Enter up to {number} guests.': 'الحد الأقصى لعدد الضيوف هو {number}.',
  '“{text}” isn’t a valid email address. Enter one per line.':
    '«{text}» ليس بريدًا إلكترونيًا صالحًا. أدخل عنوانًا واحدًا في كل سطر.',
  'Shorten this text.': 'اختصر هذا النص.',
  'Check this box.': 'حدّد هذا المربع.',
  'Choose an option.': 'اختر خيارًا.',
  'Answer this question.': 'أجب عن هذا السؤال.',
  'Enter email addresses, one per line.': 'أدخل عناوين بريد إلكتروني، عنوانًا في كل سطر.',
  'Choose from the options.': 'اختر من بين الخيارات.',
  'Choose one of the options.': 'اختر أحد الخيارات.',
  'Enter a number.': 'أدخل رقمًا.',
  'Enter a phone number.': 'أدخل رقم هاتف.',
  'Enter a link that begins with https://.': 'أدخل رابطًا يبدأ بـ https://.',
  // Booking emails:
  '{subject}: {title}, {time}': '{subject}: {title}، {time}',
  'This booking is confirmed.': 'هذا الحجز مؤكد.',
  'Your request was sent. We’ll email you when the host confirms or declines it.':
    'أُرسل طلبك. سنراسلك عندما يؤكده المضيف أو يرفضه.',
  'New request': 'طلب جديد',
  'Someone wants to book this time with you. Confirm or decline it.':
    'يريد شخص ما حجز هذا الوقت معك. أكّده أو ارفضه.',
  'Rescheduled by': 'مَن غيّر الموعد',
  'Rescheduled and confirmed': 'تغيّر الموعد وتم تأكيده',
  'This booking was rescheduled and is confirmed.': 'تم تغيير موعد هذا الحجز وهو مؤكد.',
  'New time pending': 'الموعد الجديد قيد الانتظار',
  'You rescheduled this booking. The host has to confirm the new time; the previous time was released.':
    'لقد غيّرت موعد هذا الحجز. يجب أن يؤكد المضيف الموعد الجديد، وقد أُتيح الموعد السابق لغيرك.',
  'New time requested': 'طلب موعد جديد',
  'The attendee rescheduled this booking. Confirm or decline the new time; the previous time is free again.':
    'غيّر المشارك موعد هذا الحجز. أكّد الموعد الجديد أو ارفضه؛ والموعد السابق متاح من جديد.',
  'No longer at this time': 'لم يعد في هذا الموعد',
  'This booking no longer takes place at this time. If the host confirms a new time, we’ll email you.':
    'لم يعد هذا الحجز قائمًا في هذا الموعد. إذا أكّد المضيف موعدًا جديدًا، فسنراسلك.',
  Confirmed: 'مؤكد',
  'The host confirmed this booking.': 'أكّد المضيف هذا الحجز.',
  'Cancelled by': 'مَن ألغى الحجز',
  'New host': 'مضيف جديد',
  'This booking has a new host.': 'لهذا الحجز مضيف جديد.',
  'This booking has a new host, who still has to confirm it.': 'لهذا الحجز مضيف جديد لم يؤكده بعد.',
  'Assigned to you': 'أُسند إليك',
  'You now host this booking.': 'أنت الآن مضيف هذا الحجز.',
  'You now host this booking. Confirm or decline it.': 'أنت الآن مضيف هذا الحجز. أكّده أو ارفضه.',
  Reassigned: 'أُسند إلى غيرك',
  'This booking was reassigned to another host.': 'أُسند هذا الحجز إلى مضيف آخر.',
  'View booking': 'عرض الحجز',
  'Confirm or decline booking': 'تأكيد الحجز أو رفضه',
  'Reschedule or cancel booking': 'تغيير موعد الحجز أو إلغاؤه',
  'You received this email because someone made a booking with this address. If it wasn’t you, ignore this email.':
    'تصلك هذه الرسالة لأن شخصًا ما حجز بهذا العنوان. إذا لم تكن أنت، فتجاهلها.',
  'You received this email because someone made a booking with this address. If it wasn’t you, use the link to cancel it.':
    'تصلك هذه الرسالة لأن شخصًا ما حجز بهذا العنوان. إذا لم تكن أنت، فاستخدم الرابط لإلغاء الحجز.',
  'You received this email because someone added you as a guest. If you don’t know why, ignore it.':
    'تصلك هذه الرسالة لأن شخصًا ما أضافك ضيفًا. إذا كنت لا تعرف السبب، فتجاهلها.',
  'the rest is on the booking’s page': 'البقية في صفحة الحجز',
  'the host': 'المضيف',
  '{name} (attendee)': '{name} (المشارك)',
  What: 'الموضوع',
  'Previous time': 'الموعد السابق',
  'The address you entered': 'العنوان الذي أدخلته',
  'The phone number you entered': 'رقم الهاتف الذي أدخلته',
  'The place you entered': 'المكان الذي أدخلته',
  // What is wrong with a form:
  'Enter an email address.': 'أدخل بريدًا إلكترونيًا.',
  'Enter a valid email address.': 'أدخل بريدًا إلكترونيًا صالحًا.',
  'Use an address without “+” and 25 letters or digits before the @.':
    'استخدم عنوانًا لا ينتهي الجزء السابق لعلامة @ فيه بعلامة «+» يليها 25 حرفًا أو رقمًا.',
  'Enter a password.': 'أدخل كلمة مرور.',
  'Enter your password.': 'أدخل كلمة المرور.',
  'Enter your name.': 'أدخل اسمك.',
  'Use at least {number} characters.': 'يجب ألا يقل عدد الأحرف عن {number}.',
  'Use at most {number} characters.': 'يجب ألا يتجاوز عدد الأحرف {number}.',
  'The NUL character isn’t allowed.': 'لا يُسمح بالحرف NUL.',
  'Line breaks and control characters aren’t allowed.': 'لا يُسمح بفواصل الأسطر ولا بأحرف التحكم.',
  'Control characters aren’t allowed.': 'لا يُسمح بأحرف التحكم.',
  'Remove characters that change the text direction.': 'أزل الأحرف التي تغيّر اتجاه النص.',
  'Use visible characters.': 'استخدم أحرفًا مرئية.',
  // Consent:
  'Allow {app}?': 'هل تسمح لـ {app}؟',
  '{app} wants access to your {service} account': 'يريد {app} الوصول إلى حسابك في {service}',
  'Sign in to {app}': 'تسجيل الدخول إلى {app}',
  'No website given': 'لم يُذكر موقع ويب',
  'Reviewed by {service}': 'راجعه {service}',
  'You approved this app on {date}.': 'وافقت على هذا التطبيق في {date}.',
  'It’s asking for different permissions this time.': 'يطلب هذه المرة أذونات مختلفة.',
  'Signed in as': 'مسجّل الدخول باسم',
  'Use another account': 'استخدام حساب آخر',
  '{app} asks you to sign in as {email}.': 'يطلب منك {app} تسجيل الدخول باسم {email}.',
  '{app} asks you to sign in with another account.': 'يطلب منك {app} تسجيل الدخول بحساب آخر.',
  'You’re signed in as {email}.': 'أنت مسجّل الدخول باسم {email}.',
  'Back to the app': 'العودة إلى التطبيق',
  'It gets access to the team {team}.': 'سيحصل على وصول إلى الفريق {team}.',
  'Access to': 'الوصول إلى',
  '{name} (you)': '{name} (أنت)',
  '{name} (team)': '{name} (فريق)',
  '{app} will be able to:': 'سيتمكن {app} من:',
  '{app} won’t be able to:': 'لن يتمكن {app} من:',
  Read: 'قراءة',
  New: 'جديد',
  'Read and change': 'قراءة وتغيير',
  'This includes the teams that you manage: {teams}.': 'يشمل ذلك الفِرق التي تديرها: {teams}.',
  'Remove access anytime in Settings → Connected apps.':
    'يمكنك إزالة الوصول في أي وقت من الإعدادات ← التطبيقات المتصلة.',
  'This access is for {resources}.': 'هذا الوصول مخصص لـ {resources}.',
  'your account': 'حسابك',
  'Don’t ask again for {app}': 'عدم السؤال مرة أخرى عن {app}',
  'You’ll be redirected to {host}': 'ستُنقل إلى {host}',
  'You’ll be redirected to an app on this device: {host}': 'ستُنقل إلى تطبيق على هذا الجهاز: {host}',
  'You’ll be redirected to an app on this device: {host}. Allow it only if you started it yourself.':
    'ستُنقل إلى تطبيق على هذا الجهاز: {host}. لا تسمح به إلا إذا شغّلته بنفسك.',
  Deny: 'رفض',
  Allow: 'سماح',
  'Opening {app}…': 'جارٍ فتح {app}…',
  'You can close this page once it’s open.': 'يمكنك إغلاق هذه الصفحة بعد فتحه.',
  'You’ve already allowed this': 'لقد سمحت بهذا من قبل',
  'The app has the access that you approved. Go back to the app.':
    'لدى التطبيق الوصول الذي وافقت عليه. ارجع إلى التطبيق.',
  'View connected apps': 'عرض التطبيقات المتصلة',
  'This page has expired': 'انتهت صلاحية هذه الصفحة',
  'It was opened too long ago or already used, or you’ve signed in again since. Your click changed nothing.':
    'فُتحت منذ وقت طويل جدًا أو استُخدمت من قبل، أو سجّلت الدخول من جديد منذ ذلك الحين. لم تغيّر نقرتك شيئًا.',
  'View the request again': 'عرض الطلب مرة أخرى',
  'Invalid request': 'طلب غير صالح',
  'Part of the address is repeated, too long or damaged.': 'جزء من العنوان مكرر أو طويل جدًا أو تالف.',
  'Go back to the app and try again. If it keeps happening, contact the developer.':
    'ارجع إلى التطبيق وحاول مرة أخرى. وإذا تكرر ذلك، فتواصل مع المطوّر.',
  'Unknown app': 'تطبيق غير معروف',
  'The address names no registered app.': 'لا يشير العنوان إلى أي تطبيق مسجّل.',
  'This app isn’t available': 'هذا التطبيق غير متاح',
  'It isn’t approved at the moment.': 'ليس موافقًا عليه حاليًا.',
  'Contact the developer.': 'تواصل مع المطوّر.',
  'Incomplete request': 'طلب غير مكتمل',
  'It doesn’t say where to send you afterwards.': 'لا يذكر إلى أين ننقلك بعد ذلك.',
  'The redirect URI doesn’t match': 'معرّف URI لإعادة التوجيه غير مطابق',
  'The app asked to send you to an address that it hasn’t registered.':
    'طلب التطبيق نقلك إلى عنوان لم يسجّله.',
  'Your click changed nothing.': 'لم تغيّر نقرتك شيئًا.',
  'Nothing was shared.': 'لم يُشارَك شيء.',
  'Is it your app? Sign in with the account that registered it and open this address again to see what to fix.':
    'هل هذا تطبيقك؟ سجّل الدخول بالحساب الذي سجّله وافتح هذا العنوان مرة أخرى لترى ما يجب إصلاحه.',
  'Building this app? Send each parameter once, in UTF-8, with at most 2,048 characters (state: 4,096).':
    'هل تطوّر هذا التطبيق؟ أرسل كل معامل مرة واحدة بترميز UTF-8، بحد أقصى 2,048 حرفًا (state: 4,096).',
  'Building this app? Check that client_id is the client ID on your app’s page, or the full https address of its metadata document.':
    'هل تطوّر هذا التطبيق؟ تأكد من أن client_id هو معرّف العميل في صفحة تطبيقك، أو عنوان https الكامل لمستند بياناته الوصفية.',
  'Building this app? Check that client_id is the client ID on your app’s page.':
    'هل تطوّر هذا التطبيق؟ تأكد من أن client_id هو معرّف العميل في صفحة تطبيقك.',
  'This is your app: {app}': 'هذا تطبيقك: {app}',
  'Your app is in review. Users can’t connect it until it’s approved.':
    'تطبيقك قيد المراجعة. لا يمكن للمستخدمين ربطه حتى تتم الموافقة عليه.',
  'Your app isn’t approved. Its page says why, and how to resubmit it.':
    'لم تتم الموافقة على تطبيقك. توضّح صفحته السبب وكيفية إعادة تقديمه.',
  'View app': 'عرض التطبيق',
  'Redirect URI in this request:': 'معرّف URI لإعادة التوجيه في هذا الطلب:',
  'None.': 'لا يوجد.',
  'Registered redirect URIs (send one of them, character for character):':
    'معرّفات URI المسجلة لإعادة التوجيه (أرسل أحدها حرفًا بحرف):',
  'Edit app': 'تعديل التطبيق',
  // Permissions, which are said with the care of a contract:
  'Use your account to sign you in': 'استخدام حسابك لتسجيل دخولك',
  'Use your account to sign you in, and see your name, email address, username, time zone and language, and when they last changed':
    'استخدام حسابك لتسجيل دخولك، ورؤية اسمك وعنوان بريدك الإلكتروني واسم المستخدم ومنطقتك الزمنية ولغتك ووقت آخر تغيير لها',
  'Use your account to sign you in, and see your email address':
    'استخدام حسابك لتسجيل دخولك، ورؤية عنوان بريدك الإلكتروني',
  'Use your account to sign you in, and see your name, username, time zone and language, and when they last changed':
    'استخدام حسابك لتسجيل دخولك، ورؤية اسمك واسم المستخدم ومنطقتك الزمنية ولغتك ووقت آخر تغيير لها',
  'See your password, or change how you sign in': 'رؤية كلمة مرورك أو تغيير طريقة تسجيل دخولك',
  'Change your email address, your teams or your other apps':
    'تغيير عنوان بريدك الإلكتروني أو فِرقك أو تطبيقاتك الأخرى',
  'See your name, email address, username and time zone, and your teams with their members':
    'رؤية اسمك وعنوان بريدك الإلكتروني واسم المستخدم ومنطقتك الزمنية، وفِرقك مع أعضائها',
  'See your name, email address, username and time zone, and the members of the team':
    'رؤية اسمك وعنوان بريدك الإلكتروني واسم المستخدم ومنطقتك الزمنية، وأعضاء الفريق',
  'See or change your profile, or see your teams': 'رؤية ملفك الشخصي أو تغييره، أو رؤية فِرقك',
  'Change your profile, or see your teams': 'تغيير ملفك الشخصي، أو رؤية فِرقك',
  'See or change your own bookings, schedules and calendars':
    'رؤية حجوزاتك وجداولك وتقويماتك الخاصة بك أو تغييرها',
  'See your profile with your email address, and your teams with their members; change your name, time zone, default schedule and how times are shown':
    'رؤية ملفك الشخصي مع عنوان بريدك الإلكتروني، وفِرقك مع أعضائها؛ وتغيير اسمك ومنطقتك الزمنية وجدولك الافتراضي وطريقة عرض الأوقات',
  'Change your name, time zone or default schedule': 'تغيير اسمك أو منطقتك الزمنية أو جدولك الافتراضي',
  'See your event types': 'رؤية أنواع مواعيدك',
  'See, create, change and delete the event types of the team':
    'رؤية أنواع مواعيد الفريق وإنشاؤها وتغييرها وحذفها',
  'See the event types of the team': 'رؤية أنواع مواعيد الفريق',
  'See or change your event types': 'رؤية أنواع مواعيدك أو تغييرها',
  'See, create, change and delete your event types': 'رؤية أنواع مواعيدك وإنشاؤها وتغييرها وحذفها',
  'Change your event types': 'تغيير أنواع مواعيدك',
  'See your bookings, with the names, email addresses and answers of people who book you':
    'رؤية حجوزاتك، مع أسماء من يحجزون معك وعناوين بريدهم الإلكتروني وإجاباتهم',
  'See or change your bookings': 'رؤية حجوزاتك أو تغييرها',
  'See, create, change and cancel the bookings of the team, with the names, email addresses and answers of people who book it':
    'رؤية حجوزات الفريق وإنشاؤها وتغييرها وإلغاؤها، مع أسماء من يحجزون معه وعناوين بريدهم الإلكتروني وإجاباتهم',
  'See the bookings of the team, with the names, email addresses and answers of people who book it':
    'رؤية حجوزات الفريق، مع أسماء من يحجزون معه وعناوين بريدهم الإلكتروني وإجاباتهم',
  'See, create, change and cancel your bookings, with the names, email addresses and answers of people who book you':
    'رؤية حجوزاتك وإنشاؤها وتغييرها وإلغاؤها، مع أسماء من يحجزون معك وعناوين بريدهم الإلكتروني وإجاباتهم',
  'Create, change or cancel bookings': 'إنشاء حجوزات أو تغييرها أو إلغاؤها',
  'See your schedules, connected calendars and when you are busy in them':
    'رؤية جداولك وتقويماتك المتصلة وأوقات انشغالك فيها',
  'See the working hours of the members of the team': 'رؤية ساعات عمل أعضاء الفريق',
  'See or change your schedules and connected calendars': 'رؤية جداولك وتقويماتك المتصلة أو تغييرها',
  'See, create, change and delete your schedules, connect and disconnect calendars, and see when you are busy in them':
    'رؤية جداولك وإنشاؤها وتغييرها وحذفها، وربط التقويمات وفصلها، ورؤية أوقات انشغالك فيها',
  'Change your schedules, connect or disconnect calendars': 'تغيير جداولك، أو ربط التقويمات أو فصلها',
  'See, create, change and delete your schedules, connect and disconnect calendars, see busy times, and choose where bookings go':
    'رؤية جداولك وإنشاؤها وتغييرها وحذفها، وربط التقويمات وفصلها، ورؤية أوقات الانشغال، واختيار وجهة الحجوزات',
  'See your webhooks, and what was sent to them': 'رؤية خطافات الويب لديك وما أُرسل إليها',
  'See, create, change and delete webhooks of the team, which send its bookings to other services':
    'رؤية خطافات الويب للفريق، التي ترسل حجوزاته إلى خدمات أخرى، وإنشاؤها وتغييرها وحذفها',
  'See the webhooks of the team, and what was sent to them': 'رؤية خطافات الويب للفريق وما أُرسل إليها',
  'See or change your webhooks': 'رؤية خطافات الويب لديك أو تغييرها',
  'See, create, change and delete your webhooks, which send your bookings to other services':
    'رؤية خطافات الويب لديك، التي ترسل حجوزاتك إلى خدمات أخرى، وإنشاؤها وتغييرها وحذفها',
  'Create, change or delete webhooks': 'إنشاء خطافات الويب أو تغييرها أو حذفها',
  // Connected apps:
  'Remove all access': 'إزالة الوصول كله',
  'These apps have access to your account. You can remove it anytime, with immediate effect.':
    'لهذه التطبيقات وصول إلى حسابك. يمكنك إزالته في أي وقت، ويسري ذلك فورًا.',
  'No connected apps': 'لا توجد تطبيقات متصلة',
  'Apps you approve appear here.': 'تظهر هنا التطبيقات التي توافق عليها.',
  'This app isn’t currently approved by our reviewers. It can’t use your account until it is.':
    'لم يوافق مراجعونا على هذا التطبيق حاليًا. ولا يمكنه استخدام حسابك حتى تتم الموافقة.',
  'Team {team}': 'الفريق {team}',
  'Your account': 'حسابك',
  'Connected since {date}, last active {moment}': 'متصل منذ {date}، آخر نشاط: {moment}',
  'You no longer manage this team, so the app can’t access it.':
    'لم تعد تدير هذا الفريق، لذا لا يستطيع التطبيق الوصول إليه.',
  'It can': 'يمكنه',
  'Nothing: the app no longer uses the permissions that you approved':
    'لا شيء: لم يعد التطبيق يستخدم الأذونات التي وافقت عليها',
  'For {resources}': 'من أجل {resources}',
  'Not connected at the moment.': 'غير متصل حاليًا.',
  'It can connect to the team {team} without asking you. You chose this on {date}.':
    'يمكنه الاتصال بالفريق {team} من دون سؤالك. اخترت هذا في {date}.',
  'It can connect to your account without asking you. You chose this on {date}.':
    'يمكنه الاتصال بحسابك من دون سؤالك. اخترت هذا في {date}.',
  'Ask me every time': 'اسألني كل مرة',
  'Remove access': 'إزالة الوصول',
  'for {app}': 'لـ {app}',
  Previous: 'السابق',
  Next: 'التالي',
  Pages: 'الصفحات',
  'No apps have access to your account.': 'لا يملك أي تطبيق وصولًا إلى حسابك.',
  '{count} {count|app has|apps have} access to your account. If you remove it:': {
    one: 'لتطبيق واحد وصول إلى حسابك. إذا أزلت هذا الوصول:',
    two: 'لتطبيقين وصول إلى حسابك. إذا أزلت هذا الوصول:',
    few: 'لـ {count} تطبيقات وصول إلى حسابك. إذا أزلت هذا الوصول:',
    many: 'لـ {count} تطبيقًا وصول إلى حسابك. إذا أزلت هذا الوصول:',
    other: 'لـ {count} تطبيق وصول إلى حسابك. إذا أزلت هذا الوصول:',
  },
  'No app can use your account or your teams, effective immediately.':
    'لن يتمكن أي تطبيق من استخدام حسابك أو فِرقك، ويسري ذلك فورًا.',
  'Apps will need your permission again.': 'ستحتاج التطبيقات إلى إذنك من جديد.',
  'Your own tokens for the API end, too.': 'تنتهي أيضًا رموزك الخاصة بواجهة API.',
  'Anything that they created stays.': 'يبقى كل ما أُنشئ من خلالها.',
  Cancel: 'إلغاء',
  'Access removed. The app can no longer use your account.':
    'أُزيل الوصول. لم يعد بإمكان التطبيق استخدام حسابك.',
  'All access removed. No app can use your account.': 'أُزيل الوصول كله. لا يمكن لأي تطبيق استخدام حسابك.',
  'The app will ask you every time from now on.': 'سيسألك التطبيق كل مرة من الآن فصاعدًا.',
  // Emails of accounts and consent:
  'Unknown browser': 'متصفح غير معروف',
  '{browser} on {system}': '{browser} على {system}',
  'You get this email because someone entered your address on our site.':
    'تصلك هذه الرسالة لأن شخصًا ما أدخل عنوانك في موقعنا.',
  'Someone uses this email address for an account. If it was you:':
    'يستخدم شخص ما هذا البريد الإلكتروني لحساب. إذا كنت أنت:',
  'The link works once, for 24 hours. If it wasn’t you, ignore this email: the account can’t do anything with your address.':
    'يعمل الرابط مرة واحدة خلال 24 ساعة. إذا لم تكن أنت، فتجاهل هذه الرسالة: لا يستطيع الحساب فعل شيء بعنوانك.',
  'You already have an account': 'لديك حساب بالفعل',
  'Someone tried to sign up with your email address. You already have an account with it.':
    'حاول شخص ما التسجيل ببريدك الإلكتروني. لديك حساب بهذا البريد بالفعل.',
  'If this was you, sign in, or reset your password. If it wasn’t, no action is needed: nothing was changed.':
    'إذا كنت أنت، فسجّل الدخول أو أعد تعيين كلمة المرور. وإذا لم تكن أنت، فلا حاجة إلى أي إجراء: لم يتغير شيء.',
  'Reset password': 'إعادة تعيين كلمة المرور',
  'Your email address already has an account': 'يوجد حساب ببريدك الإلكتروني بالفعل',
  'Someone tried to sign up with your email address. It already has an account, which was never verified.':
    'حاول شخص ما التسجيل ببريدك الإلكتروني. يوجد بالفعل حساب بهذا البريد، لكنه لم يُؤكَّد قط.',
  'To use that account, reset its password: this verifies your address and signs everyone else out. If you didn’t sign up, no action is needed.':
    'لاستخدام ذلك الحساب، أعد تعيين كلمة مروره: هذا يؤكد عنوانك ويسجّل خروج كل شخص آخر. إذا لم تسجّل، فلا حاجة إلى أي إجراء.',
  'Confirm your new email address': 'أكّد بريدك الإلكتروني الجديد',
  'Someone wants to use this email address for their account. If it was you:':
    'يريد شخص ما استخدام هذا البريد الإلكتروني لحسابه. إذا كنت أنت:',
  'The link works once, for 24 hours, where you’re signed in. If it wasn’t you, ignore this email: nothing is changed.':
    'يعمل الرابط مرة واحدة خلال 24 ساعة، وفي متصفح سجّلت الدخول فيه. إذا لم تكن أنت، فتجاهل هذه الرسالة: لن يتغير شيء.',
  'Someone tried to use your email address': 'حاول شخص ما استخدام بريدك الإلكتروني',
  'Someone tried to change the email address of their account to yours. It belongs to another account, so nothing was changed, and they were not told why.':
    'حاول شخص ما تغيير البريد الإلكتروني لحسابه إلى بريدك. وهو يخص حسابًا آخر، لذا لم يتغير شيء، ولم يُذكر له السبب.',
  'If this was you, change the address of the account that uses this one first.':
    'إذا كنت أنت، فغيّر أولًا عنوان الحساب الذي يستخدم هذا العنوان.',
  'Your email address was changed': 'تم تغيير بريدك الإلكتروني',
  'The email address of your account was changed. Sign in with the new address from now on.':
    'تم تغيير البريد الإلكتروني لحسابك. سجّل الدخول بالعنوان الجديد من الآن فصاعدًا.',
  From: 'من',
  To: 'إلى',
  Website: 'موقع الويب',
  'none given': 'غير مذكور',
  'Change password': 'تغيير كلمة المرور',
  'If this was you, no action is needed.': 'إذا كنت أنت، فلا حاجة إلى أي إجراء.',
  'If it wasn’t you, someone else knows your password. Sign in, change the password and then the address. If you can’t sign in anymore, ask your administrator to stop the account.':
    'إذا لم تكن أنت، فهناك شخص آخر يعرف كلمة مرورك. سجّل الدخول وغيّر كلمة المرور ثم العنوان. وإذا لم تعد تستطيع تسجيل الدخول، فاطلب من المسؤول إيقاف الحساب.',
  'Someone signed in to your account with your password, in a new browser.':
    'سجّل شخص ما الدخول إلى حسابك بكلمة مرورك في متصفح جديد.',
  'Someone signed in to your account with your passkey, in a new browser.':
    'سجّل شخص ما الدخول إلى حسابك بمفتاح مرورك في متصفح جديد.',
  'If it wasn’t you, someone else knows your password. Change it, and sign out the sessions you don’t recognize.':
    'إذا لم تكن أنت، فهناك شخص آخر يعرف كلمة مرورك. غيّرها وسجّل الخروج من الجلسات التي لا تعرفها.',
  'If it wasn’t you, someone else has your passkey. Remove it, and sign out the sessions you don’t recognize.':
    'إذا لم تكن أنت، فهناك شخص آخر لديه مفتاح مرورك. أزله وسجّل الخروج من الجلسات التي لا تعرفها.',
  'View security settings': 'عرض إعدادات الأمان',
  'New sign-in to your account': 'تسجيل دخول جديد إلى حسابك',
  When: 'الوقت',
  Browser: 'المتصفح',
  Address: 'العنوان',
  'View sessions': 'عرض الجلسات',
  'Reset your password': 'إعادة تعيين كلمة المرور',
  'Someone asked to reset the password of your account.': 'طلب شخص ما إعادة تعيين كلمة مرور حسابك.',
  'The link works once, for 30 minutes. If you didn’t ask for it, ignore this email: your password stays the same.':
    'يعمل الرابط مرة واحدة خلال 30 دقيقة. إذا لم تطلبه، فتجاهل هذه الرسالة: تبقى كلمة مرورك كما هي.',
  'Your password was changed': 'تم تغيير كلمة مرورك',
  'The password of your account was changed, and you were signed out everywhere else.':
    'تم تغيير كلمة مرور حسابك، وسُجّل خروجك من كل مكان آخر.',
  'If this was you, no action is needed. If it wasn’t, reset your password now.':
    'إذا كنت أنت، فلا حاجة إلى أي إجراء. وإذا لم تكن أنت، فأعد تعيين كلمة المرور الآن.',
  'You gave {app} access to your account': 'منحتَ {app} وصولًا إلى حسابك',
  'You approved an app:': 'وافقتَ على تطبيق:',
  App: 'التطبيق',
  For: 'من أجل',
  'If this was you, no action is needed. If not, remove the app’s access and change your password.':
    'إذا كنت أنت، فلا حاجة إلى أي إجراء. وإذا لم تكن أنت، فأزل وصول التطبيق وغيّر كلمة المرور.',
  'the team {team}': 'الفريق {team}',
  // Pages that say what went wrong:
  'This page is out of date': 'هذه الصفحة قديمة',
  'You’ve signed in again since you opened it. Nothing was saved yet, but what you typed is kept.':
    'سجّلت الدخول من جديد بعد أن فتحتها. لم يُحفظ شيء بعد، لكن ما كتبته محفوظ.',
  'What you typed is kept here. Keep this page open, and send it once you’ve chosen a new password.':
    'ما كتبته محفوظ هنا. أبقِ هذه الصفحة مفتوحة، وأرسله بعد أن تختار كلمة مرور جديدة.',
  'Send it now': 'أرسل الآن',
  'You’ve signed in again since you opened it, so nothing was saved. Open the page again and retry.':
    'سجّلت الدخول من جديد بعد أن فتحتها، لذا لم يُحفظ شيء. افتح الصفحة مرة أخرى وأعد المحاولة.',
  'Open the page again': 'فتح الصفحة مرة أخرى',
  'This form came from another site': 'جاء هذا النموذج من موقع آخر',
  'For your safety, nothing was changed. Open the page here and try again.':
    'حفاظًا على أمانك، لم يتغير شيء. افتح الصفحة هنا وحاول مرة أخرى.',
  'Page not found': 'الصفحة غير موجودة',
  'The link may be wrong, or the page was removed.': 'قد يكون الرابط خاطئًا، أو أُزيلت الصفحة.',
  'We’ll be back in a moment': 'سنعود بعد لحظات',
  'Try again in a few seconds.': 'حاول مرة أخرى بعد بضع ثوانٍ.',
  'Too many requests': 'عدد كبير جدًا من الطلبات',
  'They came from your network. Nothing was changed. Try again in a few seconds.':
    'جاءت من شبكتك. لم يتغير شيء. حاول مرة أخرى بعد بضع ثوانٍ.',
  'Something went wrong': 'حدث خطأ ما',
  'It’s our fault. Try again.': 'الخطأ من جانبنا. حاول مرة أخرى.',
  'This request couldn’t be read': 'تعذّرت قراءة هذا الطلب',
  'Nothing was changed. Go back and try again.': 'لم يتغير شيء. ارجع وحاول مرة أخرى.',
  'Nothing was changed.': 'لم يتغير شيء.',
  'Try again tomorrow.': 'حاول مرة أخرى غدًا.',
  'You, your apps or your network have asked for too much.':
    'أرسلتَ أنت أو تطبيقاتك أو شبكتك عددًا كبيرًا جدًا من الطلبات.',
  'You have made too many changes in one day.': 'أجريت عددًا كبيرًا جدًا من التغييرات في يوم واحد.',
  'You or your network have sent too many emails through us.':
    'أرسلتَ أنت أو شبكتك عددًا كبيرًا جدًا من الرسائل عبرنا.',
  'This booking has changed too often. You can still cancel it.':
    'تغيّر هذا الحجز مرات كثيرة جدًا. لا يزال بإمكانك إلغاؤه.',
  'Too many accounts or links were asked for from your network.':
    'طُلب من شبكتك عدد كبير جدًا من الحسابات أو الروابط.',
  'Send it again': 'أرسله مرة أخرى',
} as const satisfies Dictionary;
