"""What runs beside a queue manager, through the MQI and the functions that commands call."""
